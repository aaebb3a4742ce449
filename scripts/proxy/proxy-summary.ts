import { setImmediate as nextTurn } from 'node:timers/promises';
import { judgeCaller } from '../../suites/caller/judge-caller.ts';
import type { Timeline } from '../../suites/caller/observed/timeline.ts';
import type { Exchange } from '../../suites/kit/model/exchange.ts';
import type {
  CheckResult,
  ClauseResult,
  DutyResult,
  RunOutcome,
  Summary,
  Verdict,
} from '../../suites/kit/model/summary.ts';
import type { TargetInfo } from '../../suites/kit/model/target.ts';
import { endpointOf, isSuccess } from '../../suites/kit/reading/answers.ts';
import type { Redactor } from '../../suites/kit/redacting/redact.ts';
import {
  type InvariantRulings,
  judgingInvariants,
  tallyExchanges,
} from '../../suites/kit/running/judge-invariants.ts';
import { clauseResults, UNDECIDED_DUTY } from '../../suites/kit/summary/clause-results.ts';
import { summarise } from '../../suites/kit/summary/summarise.ts';
import { PROXY_CALLER_CHECKS } from './passed-request.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';

/** What passed, and when. */
export interface Passed {
  readonly baseUrl: string;
  readonly startedAt: Date;
  readonly exchanges: readonly Exchange[];
  /** One for each key. */
  readonly timelines: readonly Timeline[];
  readonly info: TargetInfo;
  readonly redactor: Pick<Redactor, 'ruling'>;
  /** What was found in exchanges that are no longer held. */
  readonly before: readonly CheckResult[] | undefined;
  /** All that passed. */
  readonly counts: { readonly requests: number; readonly completions: number };
  /** Whether a chat was accepted. */
  readonly hasAccepted: boolean;
  /** Why less was judged than passed. */
  readonly cutShort: readonly string[];
  readonly warnings: readonly string[];
}

const NOTHING_PASSED = 'no request passed';

const NONE_ACCEPTED = 'no chat that passed was accepted: nothing is known about completions';

const ONLY_ASKED =
  'nothing that passes by shows it: it takes requests of its own, which chat-conformance --base-url sends';
const ONLY_PARTLY = 'what passes by shows only a part of it; the rest takes requests of its own';
const NONE_PASSED = 'no exchange that passed exercised it';
const ONLY_TOLD = 'nothing that passes by shows it: chat-conformance caller plays what it takes';

/** So long, in milliseconds, judging holds up what passes by. */
const LONGEST_TURN = 5;

/** Both sides of what passed: the verdicts on the service first, then those on the callers. */
export async function passedSummary(passed: Passed): Promise<Summary> {
  const service = serviceSummary(passed, await judgedService(passed));
  await nextTurn();
  const { checks: ofCallers } = judgeCaller(passed.timelines, PROXY_CALLER_CHECKS, () => ['watched']);
  const checks = withKept([...service.checks, ...ofCallers], passed.before).map(explained);
  const invariants = new Set(service.checks.map(({ id }) => id));
  const clauses = clauseResults(checks, { invariants, keys: new Set(['primary', 'second', 'unscoped']) });
  const uncertain = service.uncertain;
  const cutShort = [...passed.cutShort, ...littlePassed(passed)];
  return {
    ...service,
    outcome: outcomeOf(checks, cutShort),
    spent: { ...passed.counts, outputTokens: 0, uncertain: uncertain.length },
    checks,
    clauses: clauses.map(clauseExplained),
    cutShort,
    warnings: passed.warnings,
  };
}

function littlePassed({ counts, hasAccepted }: Passed): readonly string[] {
  if (counts.requests === 0) return [NOTHING_PASSED];
  return hasAccepted ? [] : [NONE_ACCEPTED];
}

/** What the exchanges show of the service; other exchanges pass meanwhile. */
export async function judgedService({
  exchanges,
  info,
  redactor,
}: Pick<Passed, 'exchanges' | 'info' | 'redactor'>): Promise<InvariantRulings> {
  const steps = judgingInvariants(SERVICE_JUDGEMENTS, exchanges, info, redactor.ruling);
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < LONGEST_TURN) continue;
    await nextTurn();
    since = performance.now();
  }
}

function serviceSummary(passed: Passed, judged: InvariantRulings): Summary {
  const { baseUrl, startedAt, exchanges, info } = passed;
  const tallies = [...judged].map(([invariant, rulings]) => [invariant, tallyExchanges(rulings)] as const);
  return summarise({
    target: { baseUrl, kind: 'live', profile: {}, headers: [], passing: true },
    seed: 0,
    again: undefined,
    caps: { requests: null, completions: null, outputTokens: null },
    withholds: undefined,
    remembered: [],
    trials: [],
    info,
    draws: { begun: 0, cut: 0 },
    keys: new Set(['primary']),
    checks: new Map(),
    invariants: new Map(tallies),
    record: exchanges,
    spent: { requests: 0, completions: 0, outputTokens: 0 },
    isAccountedFor: () => false,
    cutShort: [],
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
  });
}

/** An uncertain outcome is the service's and the caller's business, and leaves nothing of this open. */
function outcomeOf(checks: readonly CheckResult[], cutShort: readonly string[]): RunOutcome {
  const some = (...verdicts: readonly string[]): boolean =>
    checks.some(({ verdict }) => verdicts.includes(verdict));
  if (some('fail')) return 'violations';
  return cutShort.length > 0 || some('error') || !some('pass', 'observed') ? 'incomplete' : 'conformant';
}

function explained(result: CheckResult): CheckResult {
  return result.verdict === 'not-exercised' && result.reason === 'no answer came of the kind that it judges'
    ? { ...result, reason: NONE_PASSED }
    : result;
}

function clauseExplained(clause: ClauseResult): ClauseResult {
  if (clause.missing !== undefined) {
    const missing = clause.missing.map(({ duty }) => ({ duty, reason: ONLY_ASKED }));
    return { ...clause, reason: ONLY_PARTLY, missing };
  }
  if (clause.verdict !== 'not-exercised') return clause;
  const isUndecided = clause.checks.length === 0 || clause.reason === UNDECIDED_DUTY;
  return isUndecided ? { ...clause, reason: clause.bound === 'caller' ? ONLY_TOLD : ONLY_ASKED } : clause;
}

/** Whether the service served it. */
export function isAccepted({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && isSuccess(outcome.answer);
}

/** Whether an exchange asks for a completion. */
export function isCompletion({ request }: Exchange): boolean {
  return endpointOf(request) === 'chat';
}

/** Which of two verdicts of a check counts: the first of these. */
const DOUBT_BEFORE_PASS: readonly Verdict[] = [
  'fail',
  'error',
  'warn',
  'inconclusive',
  'pass',
  'observed',
  'not-exercised',
];

function weight({ verdict }: Pick<CheckResult, 'verdict'>): number {
  return DOUBT_BEFORE_PASS.indexOf(verdict);
}

/** What was seen of a duty before or is seen now, whichever says more. */
function heavier({ duties = [] }: CheckResult, now: DutyResult): DutyResult {
  const before = duties.find(({ duty }) => duty === now.duty);
  return before !== undefined && weight(before) <= weight(now) ? before : now;
}

/** Requests judged twice add nothing: the first of each kind of failure, and of its evidence, is enough. */
function merged(before: CheckResult, now: CheckResult): CheckResult {
  const leading = weight(before) <= weight(now) ? before : now;
  const failures = [...before.failures, ...now.failures];
  const evidence = [...before.evidence, ...now.evidence];
  return {
    ...leading,
    exchanges: Math.max(before.exchanges, now.exchanges),
    failures: failures.filter(({ code }, i) => failures.findIndex((one) => one.code === code) === i),
    ...(now.duties !== undefined && { duties: now.duties.map((duty) => heavier(before, duty)) }),
    evidence: evidence.filter(
      ({ finding }, i) => evidence.findIndex((one) => one.finding.code === finding.code) === i,
    ),
  };
}

/** The results of what was dropped with those of what is held. */
function withKept(now: readonly CheckResult[], kept: readonly CheckResult[] = []): readonly CheckResult[] {
  return now.map((result) => {
    const before = kept.find(({ id }) => id === result.id);
    return before === undefined ? result : merged(before, result);
  });
}
