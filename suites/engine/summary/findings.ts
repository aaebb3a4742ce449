import type { JudgedTrial, Recording } from '../journal/recording.ts';
import type { RecordedCriterion } from '../model/entry-schema.ts';
import { isSameFailure, notExercised } from '../model/ruling.ts';
import { pinMismatches } from './check-verdict.ts';
import { bySize, type Failure, type Ruled, type Tally, tallyOf } from './tally.ts';

/** What a run found: its checks, and then its invariants. */
export interface Findings {
  readonly recording: Recording;
  /** The draws that were begun, without those of the search for simpler failures. */
  readonly draws: readonly JudgedTrial[];
  readonly judged: readonly JudgedCriterion[];
}

/** A check or an invariant, and how it was judged. */
export interface JudgedCriterion {
  readonly of: RecordedCriterion;
  readonly isInvariant: boolean;
  readonly tally: Tally;
  /** The draws that it ruled on; of an invariant none. */
  readonly draws: readonly JudgedTrial[];
  /** Every violation, and every observation that is not as it is pinned. */
  readonly failed: readonly Failure[];
}

/** Counts the rulings of a run. */
export function findingsIn(recording: Recording): Findings {
  const { run, trials } = recording;
  const { profile } = run.target;
  const judged = [
    ...run.checks.map((of) => ({ of, isInvariant: false, ...checkTally(of, recording) })),
    ...run.invariants.map((of) => ({ of, isInvariant: true, ...invariantTally(of, recording) })),
  ];
  return {
    recording,
    // Where a stimulus could not be drawn, its name stands in place of an ID.
    draws: trials.filter(({ entry }) => entry.simplifies === undefined && entry.id !== entry.stimulus),
    judged: judged.map((each) => ({
      ...each,
      failed: [...each.tally.failures, ...pinMismatches(each.tally.observations, profile)],
    })),
  };
}

type Judged = Pick<JudgedCriterion, 'tally' | 'draws'>;

/** In the order of the plan. */
function checkTally({ id }: RecordedCriterion, recording: Recording): Judged {
  const ruled = recording.trials.flatMap(({ entry, trial }) => {
    const ruling = entry.rulings[id];
    return ruling === undefined ? [] : { ruling, entry, trial };
  });
  const draws = ruled.filter(({ entry }) => entry.simplifies === undefined);
  const simpler = tallyOf(ruled.filter(({ entry }) => entry.simplifies !== undefined));
  const tally = tallied(draws, recording);
  const [first, ...others] = tally.failures;
  // The simplest form of the first failure stands in for it.
  const simplest = first && simpler.failures.findLast(({ finding }) => isSameFailure(finding, first.finding));
  if (simplest === undefined) return { tally, draws };
  return {
    tally: { ...tally, failures: [{ ...simplest, original: first?.trial.input }, ...others] },
    draws,
  };
}

function invariantTally({ id }: RecordedCriterion, recording: Recording): Judged {
  const { held = 0, rulings = [] } = recording.invariants.find((each) => each.id === id) ?? {};
  const exchanges = new Map(rulings.length === 0 ? [] : recording.record.map((each) => [each.id, each]));
  const others = rulings.flatMap(([of, ruling]) => {
    const exchange = exchanges.get(of);
    return exchange === undefined ? [] : [{ ruling, trial: { exchanges: [exchange] } }];
  });
  const tally = tallied(others, recording, held);
  // Invariants do not shrink: the shortest failing request stands in for the simplest one.
  return { tally: { ...tally, failures: tally.failures.toSorted(bySize) }, draws: [] };
}

function tallied(ruled: readonly Ruled[], recording: Recording, held = 0): Tally {
  const tally = tallyOf(ruled, held);
  const reason = whyUnjudged(recording);
  if (reason === undefined || tally.exchanges > 0) return tally;
  return tallyOf([...ruled, { ruling: notExercised(reason), trial: { exchanges: [] } }]);
}

/** Why nothing was judged, where nothing was. */
function whyUnjudged({ run, info, finished }: Recording): string | undefined {
  if (finished === undefined) return 'the run was killed before it got to this';
  if (run.merged !== undefined && finished.cutShort.length > 0)
    return 'its shard is missing, or was killed before it got to this';
  return info === undefined ? 'the run could not begin' : undefined;
}
