import type { JudgedTrial, Recording } from '../journal/recording.ts';
import type { RecordedCriterion } from '../model/entry-schema.ts';
import { HOLDS, isSameFailure, notExercised } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import type { Profile } from '../model/target.ts';
import { pinMismatches } from './check-verdict.ts';
import { bySize, type Failure, isCut, type Ruled, type Tally, tallyOf } from './tally.ts';

/** What a run found: its checks, and then its invariants. */
export interface Findings {
  readonly recording: Recording;
  /** In the order of the plan, and then those of the search for simpler failures. */
  readonly trials: readonly Trial[];
  /** Draws that were begun, and those of them of which something was not sent. */
  readonly draws: { readonly begun: number; readonly cut: number };
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
  // Not those of the search for simpler failures, nor the stimuli that could not be drawn.
  const drawn = trials.filter(({ entry }) => entry.simplifies === undefined && entry.id !== entry.stimulus);
  return {
    recording,
    trials: trials.map(({ trial }) => trial),
    draws: { begun: drawn.length, cut: drawn.filter(({ trial }) => isCut(trial)).length },
    judged: [
      ...run.checks.map((of) => judgedCheck(of, recording)),
      ...run.invariants.map((of) => judgedInvariant(of, recording)),
    ],
  };
}

/** In the order of the plan. */
function judgedCheck(of: RecordedCriterion, recording: Recording): JudgedCriterion {
  const { run, trials, finished } = recording;
  const ruled = trials.flatMap(({ entry, trial }) => {
    const ruling = entry.rulings[of.id];
    return ruling === undefined ? [] : { ruling, entry, trial };
  });
  const draws = ruled.filter(({ entry }) => entry.simplifies === undefined);
  const isShardMissing = run.merged !== undefined && (finished?.cutShort ?? []).length > 0;
  const unjudged = [
    finished === undefined ? 'the run was killed before it got to this' : '',
    isShardMissing ? 'its shard is missing, or was killed before it got to this' : '',
  ].find((reason) => reason !== '');
  const simpler = ruled.filter(({ entry }) => entry.simplifies !== undefined);
  const tally = withSimplest(tallied(draws, recording, unjudged), tallyOf(simpler).failures);
  return { of, isInvariant: false, draws, ...withFailed(tally, run.target.profile) };
}

function judgedInvariant(of: RecordedCriterion, recording: Recording): JudgedCriterion {
  const { run, record, invariants } = recording;
  const { held = 0, rulings = [] } = invariants.find(({ id }) => id === of.id) ?? {};
  const exchanges = new Map(rulings.length === 0 ? [] : record.map((each) => [each.id, each]));
  const others = rulings.flatMap(([id, ruling]): readonly Ruled[] => {
    const exchange = exchanges.get(id);
    return exchange === undefined ? [] : [{ ruling, trial: { exchanges: [exchange] } }];
  });
  const kept = held === 0 ? [] : [{ ruling: HOLDS, trial: { exchanges: [] }, times: held }];
  const tally = tallied([...others, ...kept], recording);
  // Invariants do not shrink: the shortest failing request stands in for the simplest one.
  const smallestFirst = { ...tally, failures: tally.failures.toSorted(bySize) };
  return { of, isInvariant: true, draws: [], ...withFailed(smallestFirst, run.target.profile) };
}

/** `unjudged`: why nothing was judged, where nothing was. */
function tallied(ruled: readonly Ruled[], { info }: Recording, unjudged?: string): Tally {
  const tally = tallyOf(ruled);
  const reason = unjudged ?? (info === undefined ? 'the run could not begin' : undefined);
  if (reason === undefined || tally.exchanges > 0) return tally;
  return tallyOf([...ruled, { ruling: notExercised(reason), trial: { exchanges: [] } }]);
}

/** The simplest form of the first failure stands in for it. */
function withSimplest(tally: Tally, simpler: readonly Failure[]): Tally {
  const [first, ...others] = tally.failures;
  const simplest = first && simpler.findLast(({ finding }) => isSameFailure(finding, first.finding));
  if (simplest === undefined) return tally;
  return { ...tally, failures: [{ ...simplest, original: first?.trial.input }, ...others] };
}

function withFailed(tally: Tally, profile: Profile): Pick<JudgedCriterion, 'tally' | 'failed'> {
  return { tally, failed: [...tally.failures, ...pinMismatches(tally.observations, profile)] };
}
