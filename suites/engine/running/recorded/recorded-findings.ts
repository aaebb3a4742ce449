import { HEADERS } from '../../../../fixtures/chats/wire.ts';
import { dayOf, knownFailures } from '../../files/apply-baseline.ts';
import { recordedCriterion } from '../../journal/entries.ts';
import type { JudgedTrial, Recording } from '../../journal/recording.ts';
import type { Check } from '../../model/check.ts';
import { type Exchange, isChargeable } from '../../model/exchange.ts';
import type { Invariant } from '../../model/invariant.ts';
import type { InvariantEntry } from '../../model/journal.ts';
import { type Finding, findingIn, notExercised, type Ruling } from '../../model/ruling.ts';
import type { TargetInfo } from '../../model/target.ts';
import { chargeOf } from '../../sending/budget.ts';
import { askedOutput } from '../../sending/sent-request.ts';
import type { Criterion, Findings } from '../../summary/summarise.ts';
import { bySize, isCut, Tally } from '../../summary/tally.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { missingAnswer, rulingOf } from './judge-trial.ts';

/** The findings of a run, as its checks ruled then. If it was killed, `invariants` judge its exchanges now. */
export function recordedFindings(recording: Recording, invariants: readonly Invariant[]): Findings {
  const { run, info, record, shown, trials, finished } = recording;
  const isJudged = finished !== undefined || info === undefined;
  const drawn = trials.filter(({ entry }) => entry.simplifies === undefined && entry.id !== entry.stimulus);
  return {
    target: run.target,
    seed: run.seed,
    // A journal may come from anywhere, so nobody is told to run a command that stands in it.
    again: undefined,
    caps: run.caps,
    withholds: run.withholds,
    selected: run.selected && new Set(run.selected),
    info,
    // Not those of the search for simpler failures, nor the stimuli that could not be drawn.
    draws: { begun: drawn.length, cut: drawn.filter(({ trial }) => isCut(trial)).length },
    keys: new Set(run.keys),
    remembered: run.remembered ?? [],
    known: run.known && knownFailures(run.known, dayOf(run.startedAt)).checks,
    checks: checkTallies(recording),
    invariants: invariantTallies(
      run.invariants,
      isJudged ? recording.invariants : judgeInvariants(invariants, record, info),
      record,
    ),
    trials: trials.map(({ trial }) => trial),
    record,
    spent: spentIn(recording),
    isAccountedFor: ({ armed, request }) =>
      armed === 'loss' && shown.has(request.headers[HEADERS.idempotencyKey] ?? ''),
    cutShort: cutShortIn(recording),
    startedAt: run.startedAt,
    durationMs: durationIn(recording),
  };
}

/** Judges a recorded run again, without a request: each check judges every trial of the stimulus of its name. */
export function rejudge(
  recording: Recording,
  checks: readonly Check[],
  invariants: readonly Invariant[],
): Findings {
  const { run, info, record, trials } = recording;
  const ruled = info === undefined ? [] : trials.map((each) => ruledAgain(each, checks, info));
  const there = new Set(ruled.map(({ entry }) => entry.stimulus));
  const absent = checks.filter(({ given }) => !there.has(given.name));
  const asked = { checks: checks.map(recordedCriterion), invariants: invariants.map(recordedCriterion) };
  return recordedFindings(
    {
      ...recording,
      run: { ...run, ...asked },
      trials: [...ruled, ...absent.map(withoutTrial)],
      invariants: info === undefined ? [] : judgeInvariants(invariants, record, info),
    },
    invariants,
  );
}

/** Only the check whose failure a trial simplifies judges it. */
function ruledAgain({ entry, trial }: JudgedTrial, checks: readonly Check[], info: TargetInfo): JudgedTrial {
  const { stimulus, simplifies } = entry;
  // What was judged then may have been too much to be kept.
  const missing = entry.missing ?? missingAnswer(trial);
  const asked = checks.filter(({ id, given }) => given.name === stimulus && (simplifies?.check ?? id) === id);
  const rulings = asked.map((check) => [check.id, rulingOf(check, trial, info, missing)]);
  return { entry: { ...entry, rulings: Object.fromEntries(rulings) }, trial };
}

function withoutTrial({ id, given: { name } }: Check): JudgedTrial {
  const rulings = { [id]: notExercised(`the journal has no trial of ${name}`) };
  const entry = {
    type: 'trial',
    id: name,
    stimulus: name,
    nth: 0,
    exchanges: [],
    data: {},
    rulings,
  } as const;
  return { entry, trial: { exchanges: [] } };
}

/** Counts trials in the order of the plan, then those of the search for simpler failures. */
function checkTallies({ run, trials, finished }: Recording): ReadonlyMap<Criterion, Tally> {
  const tallies = new Map(run.checks.map(({ id }) => [id, new Tally()]));
  for (const { entry, trial } of trials)
    for (const [id, ruling] of Object.entries(entry.rulings)) {
      const tally = tallies.get(id);
      if (entry.simplifies === undefined) {
        tally?.add(ruling, trial);
        tally?.addInput(trial, entry.among);
      } else if (tally !== undefined) simplify(tally, ruling, trial);
    }
  const unjudged =
    finished === undefined
      ? 'the run was killed before it got to this'
      : run.merged !== undefined && finished.cutShort.length > 0
        ? 'its shard is missing, or was killed before it got to this'
        : undefined;
  for (const tally of tallies.values())
    if (unjudged !== undefined && tally.exchanges === 0) tally.add(notExercised(unjudged), { exchanges: [] });
  return new Map(run.checks.map((check) => [check, tallies.get(check.id) ?? new Tally()]));
}

function simplify(tally: Tally, ruling: Ruling | Error, trial: JudgedTrial['trial']): void {
  const [first] = tally.failures;
  const finding = findingIn(ruling);
  if (first === undefined || finding === undefined || !isSameFailure(finding, first.finding)) return;
  const original = first.original ?? first.trial.input;
  tally.failures[0] = { finding, trial, ...(original !== undefined && { original }) };
}

/** Identifies a failure: only simpler inputs that fail in the same way stand in for it. */
export function isSameFailure(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.path === b.path;
}

/** What these invariants ruled on the exchanges of a run. */
export function invariantTallies<Of extends { readonly id: string }>(
  invariants: readonly Of[],
  entries: readonly InvariantEntry[],
  record: readonly Exchange[],
): ReadonlyMap<Of, Tally> {
  const exchanges = new Map(record.map((exchange) => [exchange.id, exchange]));
  const ruled = new Map(entries.map((entry) => [entry.id, entry]));
  return new Map(
    invariants.map((of) => {
      const tally = new Tally();
      const { held = 0, rulings = [] } = ruled.get(of.id) ?? {};
      for (const [id, ruling] of rulings) {
        const exchange = exchanges.get(id);
        if (exchange !== undefined) tally.add(ruling, { exchanges: [exchange] });
      }
      tally.held += held;
      tally.exchanges += held;
      // Invariants do not shrink: the shortest failing request stands in for the simplest one.
      tally.failures.sort(bySize);
      return [of, tally];
    }),
  );
}

function spentIn({ record, sent }: Recording): Findings['spent'] {
  const left = record.filter(({ id }) => sent.has(id));
  const charges = left
    .filter(({ request }) => isChargeable(request))
    .map(({ request, outcome, armed }) => chargeOf(outcome, askedOutput(request.body), armed));
  return {
    requests: left.length,
    completions: charges.filter(({ completed }) => completed).length,
    outputTokens: charges.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

/** Why a run is cut short: without a last line it was killed. */
export function cutShortIn({ finished, inFlight }: Recording): readonly string[] {
  const many = inFlight.length === 1 ? '1 request was' : `${inFlight.length} requests were`;
  return finished?.cutShort ?? [`the run was killed while ${many} in flight`];
}

/** How many milliseconds a run took: without a last line, until its last request. */
export function durationIn({ run: { startedAt }, sent, finished }: Recording): number {
  return finished?.durationMs ?? Date.parse([...sent.values()].at(-1) ?? startedAt) - Date.parse(startedAt);
}
