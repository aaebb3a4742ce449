import type { Summary } from '../model/summary.ts';
import { verdictCounts } from './display-verdict.ts';

/** Why a run is incomplete, beside what cut it short; none where it is not. */
export function incompleteReasons({
  outcome,
  cutShort,
  uncertain,
  checks,
}: Pick<Summary, 'outcome' | 'cutShort' | 'uncertain' | 'checks'>): readonly string[] {
  if (outcome !== 'incomplete') return [];
  const broken = checks.filter(({ verdict }) => verdict === 'error');
  const reasons = [
    ...(uncertain.length > 0
      ? [`${counted(uncertain.length, 'request')} of unknown outcome, to be checked in the workspace`]
      : []),
    ...(broken.length > 0 ? [`${counted(broken.length, 'check')} failed by an error of the suites`] : []),
  ];
  if (cutShort.length + reasons.length > 0) return reasons;
  return [`nothing was decided: ${undecided(checks)}`];
}

function undecided(checks: Summary['checks']): string {
  const [commonest] = [...Map.groupBy(checks, ({ reason }) => reason)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const counts = verdictCounts(checks).map(({ word, count }) => `${count} ${word}`);
  return commonest === undefined ? 'no check was selected' : `${counts.join(', ')} (${commonest[0]})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
