import type { Level } from '../../../fixtures/clauses.ts';
import { CLAUSES } from '../../../fixtures/clauses.ts';
import { HEADERS } from '../../../fixtures/wire.ts';
import type { Check } from '../check.ts';
import { clauseResults } from './clause-results.ts';
import { curlLine } from '../reporting/curl-line.ts';
import { driftsOf } from './drifts.ts';
import { difference } from '../reporting/difference.ts';
import { failureKinds, firstOfEachKind } from './failure-kinds.ts';
import type { Invariant } from '../invariant.ts';
import { outcomeOf } from './outcome-of.ts';
import { openPointResults } from './open-point-results.ts';
import { KEY_NAMES } from '../sending/key-variables.ts';
import type { RunOptions } from '../run.ts';
import { showExchange } from '../reporting/show-exchange.ts';
import type { CheckResult, Evidence, Summary, UncertainRequest } from '../summary.ts';
import type { Failure, Tally } from './tally.ts';
import { verdictOf } from './verdict-of.ts';
import type { Wire } from '../sending/wire.ts';

/** Everything a run leaves behind. */
export interface Findings {
  readonly options: RunOptions;
  readonly wire: Wire;
  readonly tallies: ReadonlyMap<Check, Tally>;
  readonly invariants: ReadonlyMap<Invariant, Tally>;
  /** Draws that were not sent because the run was interrupted. */
  readonly unsent: number;
  /** Why something that was armed could not be disarmed. */
  readonly leftArmed?: string;
  readonly startedAt: Date;
  readonly durationMs: number;
}

const MOST_EVIDENCE = 3;

/** Makes the one summary that every report is a form of. */
export function summarise(findings: Findings): Summary {
  const { options, wire, startedAt, durationMs } = findings;
  const { baseUrl, kind, profile } = options.target;
  const checks = checkResults(findings);
  const cutShort = cutShortReasons(findings);
  const uncertain = uncertainRequests(wire);
  const tallies = [...findings.tallies.values(), ...findings.invariants.values()];
  return {
    outcome: outcomeOf(checks, cutShort, uncertain),
    target: { baseUrl, kind, profile: profile.name ?? null },
    seed: options.seed,
    caps: capsOf(options),
    startedAt: startedAt.toISOString(),
    durationMs,
    spent: { ...wire.budget.spent, uncertain: uncertain.length },
    checks,
    clauses: clauseResults(checks, {
      invariants: new Set(options.invariants.map(({ id }) => id)),
      keys: new Set(KEY_NAMES.filter((name) => options.target.keys[name] !== undefined)),
    }),
    open: openPointResults(
      tallies.flatMap((tally) => tally.observations),
      profile,
    ),
    uncertain,
    cutShort,
  };
}

function capsOf({ caps: { requests, completions, outputTokens } }: RunOptions): Summary['caps'] {
  return {
    requests: finite(requests),
    completions: finite(completions),
    outputTokens: finite(outputTokens),
  };
}

/** JSON has no Infinity. */
function finite(cap: number): number | null {
  return Number.isFinite(cap) ? cap : null;
}

function checkResults({ options, tallies, invariants }: Findings): CheckResult[] {
  const result = (of: Check | Invariant, tally: Tally): CheckResult => {
    const level = levelOf(of);
    const { id, clauses, title } = of;
    const { baseUrl, profile } = options.target;
    const failed = [...tally.failures, ...driftsOf(tally.observations, profile)];
    const evidence = firstOfEachKind(failed).slice(0, MOST_EVIDENCE);
    return {
      id,
      clauses,
      level,
      title,
      ...verdictOf(tally, level, profile),
      exchanges: tally.exchanges,
      failures: failureKinds(failed),
      evidence: evidence.map((failure) => evidenceOf(failure, baseUrl)),
    };
  };
  return [
    ...[...tallies].map(([check, tally]) => result(check, tally)),
    ...[...invariants].map(([invariant, tally]) => result(invariant, tally)),
  ];
}

function levelOf(of: Check | Invariant): Level {
  return of.level ?? CLAUSES[of.clauses[0]].level;
}

function evidenceOf({ finding, trial }: Failure, baseUrl: string): Evidence {
  const exchange = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
  if (exchange === undefined) throw new TypeError('a judgement found fault with a trial that sent nothing');
  const { control } = trial;
  return {
    finding,
    exchange: showExchange(exchange),
    ...(control !== undefined && {
      control: { exchange: showExchange(control), difference: difference(exchange, control) },
    }),
    curl: curlLine(baseUrl, exchange.request),
  };
}

function uncertainRequests(wire: Wire): UncertainRequest[] {
  return wire.record.flatMap((exchange) => {
    if (exchange.outcome.kind !== 'uncertain' || wire.isAccountedFor(exchange)) return [];
    const idempotencyKey = exchange.request.headers[HEADERS.idempotencyKey];
    return {
      id: exchange.id,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      reason: exchange.outcome.reason,
      exchange: showExchange(exchange),
    };
  });
}

function cutShortReasons({ wire, unsent, options, leftArmed }: Findings): string[] {
  const reasons = leftArmed === undefined ? [] : [leftArmed];
  if (wire.budget.over !== undefined) reasons.push(wire.budget.over);
  if (wire.halted !== undefined) reasons.push(wire.halted);
  if (options.signal?.aborted === true) reasons.push(`interrupted: ${unsent} draws were not sent`);
  return reasons;
}
