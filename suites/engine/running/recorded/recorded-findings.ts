import { HEADERS } from '../../../../fixtures/chats/wire.ts';
import { dayOf, knownFailures } from '../../files/apply-baseline.ts';
import type { Recording, RecordedTrial } from '../../journal/read-journal.ts';
import { isChargeable, type Exchange } from '../../model/exchange.ts';
import type { Invariant, ExchangeRuling } from '../../model/invariant.ts';
import { notExercised, type Ruling } from '../../model/ruling.ts';
import { chargeOf } from '../../sending/budget.ts';
import { askedOutput } from '../../sending/sent-request.ts';
import type { Criterion, Findings } from '../../summary/summarise.ts';
import { type DrawCounts, isCut, Tally } from '../../summary/tally.ts';
import { isSameFailure } from '../find-simplest.ts';
import { judgeInvariants, tallyExchanges } from '../judge-invariants.ts';

/** The findings of a run, as its checks ruled then. If it was killed, `invariants` judge its exchanges now. */
export function recordedFindings(recording: Recording, invariants: readonly Invariant[]): Findings {
  const { run, trials } = recording;
  const tallies = invariantTallies(recording, invariants);
  return findingsIn(recording, {
    checks: tallyTrials(run.checks, trials, ruledThen, () => whyUnjudged(recording)),
    invariants: new Map(run.invariants.map((each) => [each, tallies.get(each.id) ?? new Tally()])),
  });
}

function ruledThen({ entry }: RecordedTrial): readonly Ruled[] {
  return Object.entries(entry.rulings).map(([id, ruling]) => [id, ruling]);
}

/** Why a check has no judged exchange; undefined: the run says. */
function whyUnjudged({ run, finished }: Recording): string | undefined {
  if (finished === undefined) return 'the run was killed before it got to this';
  return run.merged !== undefined && finished.cutShort.length > 0
    ? 'its shard is missing, or was killed before it got to this'
    : undefined;
}

/** Completes the results of checks and invariants with what the journal says about the whole run. */
export function findingsIn(recording: Recording, results: Pick<Findings, 'checks' | 'invariants'>): Findings {
  const { run, record, shown, trials } = recording;
  return {
    ...results,
    target: run.target,
    seed: run.seed,
    // A journal may come from anywhere, so nobody is told to run a command that stands in it.
    again: undefined,
    caps: run.caps,
    withholds: run.withholds,
    selected: run.selected && new Set(run.selected),
    info: recording.info,
    draws: drawsIn(recording),
    keys: new Set(run.keys),
    remembered: run.remembered ?? [],
    known: run.known && knownFailures(run.known, dayOf(run.startedAt)).checks,
    trials: trials.map(({ trial }) => trial),
    record,
    spent: spentIn(recording),
    isAccountedFor: ({ armed, request }) =>
      armed === 'loss' && shown.has(request.headers[HEADERS.idempotencyKey] ?? ''),
    cutShort: recording.finished?.cutShort ?? [killedReason(recording)],
    startedAt: run.startedAt,
    durationMs: recording.finished?.durationMs ?? leastDurationMs(recording),
  };
}

function invariantTallies(
  recording: Recording,
  invariants: readonly Invariant[],
): ReadonlyMap<string, Tally> {
  if (recording.finished !== undefined) return recordedInvariants(recording);
  if (recording.info === undefined) return new Map();
  const judged = judgeInvariants(invariants, recording.record, recording.info);
  return new Map([...judged].map(([{ id }, rulings]) => [id, tallyExchanges(rulings)]));
}

function recordedInvariants({ invariants, record }: Recording): ReadonlyMap<string, Tally> {
  const known = new Map(record.map((exchange) => [exchange.id, exchange]));
  return new Map(
    invariants.map(({ id, held, rulings }) => {
      const others = rulings.flatMap(([exchangeId, ruling]): ExchangeRuling[] => {
        const exchange = known.get(exchangeId);
        return exchange === undefined ? [] : [[exchange, ruling]];
      });
      const tally = tallyExchanges(others);
      tally.held += held;
      tally.exchanges += held;
      return [id, tally];
    }),
  );
}

/** Not counting draws in the search for simpler failures, nor stimuli that could not be drawn. */
function drawsIn({ trials }: Recording): DrawCounts {
  const begun = trials.filter(({ entry }) => entry.simplifies === undefined && entry.id !== entry.stimulus);
  return { begun: begun.length, cut: begun.filter(({ trial }) => isCut(trial)).length };
}

function spentIn({ record, sent }: Recording): Findings['spent'] {
  const left = record.filter(({ id }) => sent.has(id));
  const costs = left.filter(({ request }) => isChargeable(request)).map(costOfExchange);
  return {
    requests: left.length,
    completions: costs.filter(({ completed }) => completed).length,
    outputTokens: costs.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  };
}

function costOfExchange({ request, outcome, armed }: Exchange): ReturnType<typeof chargeOf> {
  return chargeOf(outcome, askedOutput(request.body), armed);
}

/** Why a run without a last line is cut short. */
export function killedReason({ inFlight }: Recording): string {
  const many = inFlight.length === 1 ? '1 request was' : `${inFlight.length} requests were`;
  return `the run was killed while ${many} in flight`;
}

/** Milliseconds until the last request of a run without a last line. */
export function leastDurationMs({ run, sent }: Recording): number {
  const { startedAt } = run;
  return Date.parse([...sent.values()].at(-1) ?? startedAt) - Date.parse(startedAt);
}

/** The ruling on a trial by the check with this ID. */
export type Ruled = readonly [id: string, ruling: Ruling | Error];

/**
 * Counts trials as a run does: in the order of the plan, then those of the search for simpler failures. `whyNone`: why a
 * check has no judged exchange.
 */
export function tallyTrials<Of extends Criterion>(
  checks: readonly Of[],
  trials: readonly RecordedTrial[],
  rule: (trial: RecordedTrial) => readonly Ruled[],
  whyNone: (check: Of) => string | undefined,
): ReadonlyMap<Of, Tally> {
  const tallies = new Map(checks.map(({ id }) => [id, new Tally()]));
  for (const each of trials)
    for (const [id, ruling] of rule(each)) {
      const tally = tallies.get(id);
      if (tally !== undefined) count(tally, ruling, each);
    }
  return new Map(
    checks.map((check) => {
      const tally = tallies.get(check.id) ?? new Tally();
      const reason = tally.exchanges === 0 ? whyNone(check) : undefined;
      if (reason !== undefined) tally.add(notExercised(reason), { exchanges: [] });
      return [check, tally];
    }),
  );
}

function count(tally: Tally, ruling: Ruling | Error, { entry, trial }: RecordedTrial): void {
  if (entry.simplifies !== undefined) return simplify(tally, ruling, trial);
  tally.add(ruling, trial);
  tally.addInput(trial, entry.among);
}

function simplify(tally: Tally, ruling: Ruling | Error, trial: RecordedTrial['trial']): void {
  const [first] = tally.failures;
  if (first === undefined || ruling instanceof Error || ruling.kind !== 'violated') return;
  if (!isSameFailure(ruling.finding, first.finding)) return;
  const original = first.original ?? first.trial.input;
  tally.failures[0] = { finding: ruling.finding, trial, ...(original !== undefined && { original }) };
}
