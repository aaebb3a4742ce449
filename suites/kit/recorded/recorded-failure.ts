import type { Level } from '../../../fixtures/clauses/clauses.ts';
import type { RecordedTrial, Recording } from '../journal/read-journal.ts';
import { rulingFrom } from '../journal/codecs.ts';
import type { Profile } from '../model/target.ts';
import type { Ruling } from '../model/ruling.ts';
import { isSameFailure } from '../running/find-simplest.ts';
import { Tally } from '../summary/tally.ts';
import { verdictOf } from '../summary/check-verdict.ts';

/** A trial in which a check failed, and how. */
export interface RecordedFailure {
  readonly recorded: RecordedTrial;
  readonly ruling: Ruling;
}

/** The simplest recorded failure of a check; undefined when there is none. */
export function simplestFailure(
  { trials, run }: Recording,
  { id, level }: { readonly id: string; readonly level: Level },
): RecordedFailure | undefined {
  const failures = trials.flatMap((recorded): RecordedFailure[] => {
    const entry = recorded.entry.rulings[id];
    const ruling = entry && rulingFrom(entry);
    if (ruling === undefined || ruling instanceof Error) return [];
    return fails(ruling, level, run.target.profile) ? [{ recorded, ruling }] : [];
  });
  const first = failures.find(({ recorded }) => recorded.entry.simplifies === undefined);
  if (first === undefined) return undefined;
  const simpler = failures.filter(({ recorded }) => recorded.entry.simplifies?.check === id);
  return simpler.findLast(({ ruling }) => failsAlike(ruling, first.ruling)) ?? first;
}

/** Whether a single trial with this ruling would fail its check, or make it warn. */
export function fails(ruling: Ruling, level: Level, profile: Profile): boolean {
  const tally = new Tally();
  tally.add(ruling, { exchanges: [] });
  const { verdict } = verdictOf(tally, level, profile);
  return verdict === 'fail' || verdict === 'warn';
}

/** Whether two rulings that fail do so in the same way. */
export function failsAlike(one: Ruling, other: Ruling): boolean {
  if (one.kind === 'violated' && other.kind === 'violated') return isSameFailure(one.finding, other.finding);
  // Two observations differ from a pin in the same way when they are equal.
  return one.kind === 'observed' && JSON.stringify(one) === JSON.stringify(other);
}
