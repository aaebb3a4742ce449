import type { Ruling } from '../model/ruling.ts';
import { isSameFailure } from '../running/shrink.ts';
import { Tally } from '../model/tally.ts';
import type { RecordedTrial } from '../journal/recording.ts';

/** A trial, and what each of its checks says of it: by the ID of the check. */
export interface RuledTrial extends RecordedTrial {
  readonly rulings: ReadonlyMap<string, Ruling | Error>;
}

/** Counts trials as a run does: each in its place in the plan, and then what was found in search of simpler failures. */
export function tallyTrials(checkIds: readonly string[], trials: readonly RuledTrial[]): Map<string, Tally> {
  const tallies = new Map(checkIds.map((id) => [id, new Tally()]));
  for (const { entry, trial, rulings } of trials) {
    for (const [id, ruling] of rulings) {
      const tally = tallies.get(id);
      if (tally === undefined) continue;
      if (entry.simplifies === undefined) count(tally, ruling, { entry, trial });
      else simplify(tally, ruling, trial);
    }
  }
  return tallies;
}

function count(tally: Tally, ruling: Ruling | Error, { entry, trial }: RecordedTrial): void {
  tally.add(ruling, trial);
  tally.addInput(trial, entry.among);
}

function simplify(tally: Tally, ruling: Ruling | Error, trial: RecordedTrial['trial']): void {
  const [first] = tally.failures;
  if (first === undefined || ruling instanceof Error || ruling.kind !== 'violated') return;
  if (isSameFailure(ruling.finding, first.finding)) tally.failures[0] = { finding: ruling.finding, trial };
}
