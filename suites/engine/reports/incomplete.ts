import { isOwn } from '../model/check.ts';
import type { NotBegun, Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { counted, verdictCounts } from './display-verdict.ts';

/** Why a run is incomplete, beside what cut it short; none where it is not. */
export function incompleteReasons({
  outcome,
  cutShort,
  uncertain,
  checks,
}: Pick<Summary, 'outcome' | 'cutShort' | 'uncertain' | 'checks'>): readonly string[] {
  if (outcome !== 'incomplete') return [];
  const errors = checks.filter(({ verdict }) => verdict === 'error');
  const [own, ours] = [errors.filter(isOwn), errors.filter((check) => !isOwn(check))];
  const reasons = [
    ...(uncertain.length > 0
      ? [`${counted(uncertain.length, 'request')} of unknown outcome, to be checked in the workspace`]
      : []),
    ...(ours.length > 0 ? [`${counted(ours.length, 'check')} failed by an error of the suites`] : []),
    ...(own.length > 0 ? [`${counted(own.length, 'check')} of yours threw an error`] : []),
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

/** Headers that tell who answered, and where the service may be instead. */
const TELLING = ['server', 'via', 'location', 'content-type', 'content-encoding', 'www-authenticate'];

/** What came in place of what a run begins with: the request, its answer, the headers that tell, and the first bytes. */
export function firstAnswerLines({ exchange }: NotBegun): readonly string[] {
  const { request, answer } = { ...exchange };
  // The reason says already that there is none.
  if (request === undefined || answer === undefined) return [];
  const telling = TELLING.filter((name) => answer.headers[name] !== undefined);
  return [
    `${request.method} ${request.path} (${request.credential}): ${answer.status}`,
    ...telling.map((name) => `${name}: ${answer.headers[name]}`),
    answer.body || '(no body)',
  ].map((line) => printable(line));
}
