import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { dayOf, knownFailures } from '../baseline/apply-baseline.ts';
import { rulingFrom } from '../journal/codecs.ts';
import type { Recording, RecordedTrial } from '../journal/read-journal.ts';
import { isChargeable, type Exchange } from '../model/exchange.ts';
import type { Invariant, ExchangeRuling } from '../model/invariant.ts';
import type { RecordedCriterion } from '../model/journal.ts';
import { notExercised, type Ruling } from '../model/ruling.ts';
import { isSameFailure } from '../running/find-simplest.ts';
import { judgeInvariants, tallyExchanges } from '../running/judge-invariants.ts';
import { chargeOf } from '../sending/budget.ts';
import { askedOutput } from '../sending/sent-request.ts';
import type { Criterion, Findings } from '../summary/summarise.ts';
import { type DrawCounts, isCut, Tally } from '../summary/tally.ts';

/** The findings of a run, as its checks ruled then. If it was killed, `invariants` judge its exchanges now. */
export function recordedFindings(recording: Recording, invariants: readonly Invariant[]): Findings {
  const { run, trials } = recording;
  const ids = run.checks.map(({ id }) => id);
  const tallies = tallyTrials(ids, ruledThen(trials));
  if (recording.finished === undefined) ruleUnexercised(tallies, 'the run was killed before it got to this');
  else if (run.merged !== undefined && recording.finished.cutShort.length > 0)
    ruleUnexercised(tallies, 'its shard is missing, or was killed before it got to this');
  return findingsIn(recording, {
    checks: withTallies(run.checks, tallies),
    invariants: withTallies(run.invariants, invariantTallies(recording, invariants)),
  });
}

/** One by one: a large journal has many of them. */
function* ruledThen(trials: readonly RecordedTrial[]): Generator<RuledTrial> {
  for (const each of trials) {
    const rulings = Object.entries(each.entry.rulings).map(
      ([id, ruling]) => [id, rulingFrom(ruling)] as const,
    );
    yield { ...each, rulings: new Map(rulings) };
  }
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

function withTallies(
  all: readonly RecordedCriterion[],
  tallies: ReadonlyMap<string, Tally>,
): ReadonlyMap<Criterion, Tally> {
  return new Map(all.map((each) => [each, tallies.get(each.id) ?? new Tally()]));
}

/** Rules on the checks without any judged exchange. */
function ruleUnexercised(tallies: ReadonlyMap<string, Tally>, reason: string): void {
  const ruling = notExercised(reason);
  for (const tally of tallies.values()) if (tally.exchanges === 0) tally.add(ruling, { exchanges: [] });
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
        return exchange === undefined ? [] : [[exchange, rulingFrom(ruling)]];
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

/** A trial and the rulings on it, by ID of the check. */
export interface RuledTrial extends RecordedTrial {
  readonly rulings: ReadonlyMap<string, Ruling | Error>;
}

/** Counts trials as a run does: in the order of the plan, then those of the search for simpler failures. */
export function tallyTrials(checkIds: readonly string[], trials: Iterable<RuledTrial>): Map<string, Tally> {
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
  if (!isSameFailure(ruling.finding, first.finding)) return;
  const original = first.original ?? first.trial.input;
  tally.failures[0] = { finding: ruling.finding, trial, ...(original !== undefined && { original }) };
}
