import { setImmediate as nextTurn } from 'node:timers/promises';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { judgeCaller } from '../../suites/caller/judge-caller.ts';
import type { Exchange } from '../../suites/engine/model/exchange.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import type { Ruling } from '../../suites/engine/model/ruling.ts';
import type { CheckResult, ClauseResult, RunOutcome, Summary } from '../../suites/engine/model/summary.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, isSuccess } from '../../suites/engine/reading/answers.ts';
import { judgingInvariants, tallyExchanges } from '../../suites/engine/running/judge-invariants.ts';
import { clauseResults } from '../../suites/engine/summary/clause-results.ts';
import { summarise } from '../../suites/engine/summary/summarise.ts';
import type { Tally } from '../../suites/engine/summary/tally.ts';
import type { PassedExchange } from './passed-exchange.ts';
import { SeenModels } from './seen-models.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';
import { watchedTimeline } from './watched-callers.ts';

/** So many of the latest exchanges are judged together; what failed in earlier ones is kept. */
const MOST_HELD = 1000;

/** The bytes that their requests and answers take. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

const NOTHING_PASSED = 'no request passed';
const NONE_ACCEPTED = 'no chat that passed was accepted: nothing is known about completions';

export interface ObserverOptions {
  readonly baseUrl: string;
  readonly bufferedBy?: string | undefined;
  /** Takes keys out of what a judgement says. */
  readonly redacted?: (ruling: Ruling | Error) => Ruling | Error;
  readonly mostHeld?: number;
}

/** Judges both sides of what passed: while it passes, or from a journal. */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #basePath: string;
  readonly #models: SeenModels;
  readonly #counts = { requests: 0, completions: 0 };
  #held: PassedExchange[] = [];
  #bytes = 0;
  #hasAccepted = false;
  #dropped = 0;
  /** What failed in exchanges that are no longer held. */
  #failed: ReadonlyMap<string, CheckResult> = new Map();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#basePath = addressOf(options.baseUrl).path;
    this.#models = new SeenModels(options.bufferedBy);
  }

  get info(): TargetInfo {
    return this.#models.info;
  }

  /** In the order in which exchanges are recorded, one after another. */
  async note(passed: PassedExchange): Promise<void> {
    const { exchange } = passed;
    const isChat = endpointOf(exchange.request) === 'chat';
    this.#counts.requests += 1;
    if (isChat) this.#counts.completions += 1;
    this.#hasAccepted ||= isChat && isAccepted(exchange);
    this.#models.note(exchange);
    this.#held.push(passed);
    this.#bytes += bytesOf(passed);
    if (this.#held.length > (this.#options.mostHeld ?? MOST_HELD) || this.#bytes > MOST_HELD_BYTES)
      await this.#drop(Math.ceil(this.#held.length / 2));
  }

  async #drop(count: number): Promise<void> {
    const { checks } = await this.summary({ startedAt: '', durationMs: 0, cutShort: [] });
    this.#failed = new Map(checks.filter(isFailed).map((result) => [result.id, result]));
    this.#held = this.#held.slice(count);
    this.#bytes = this.#held.reduce((sum, passed) => sum + bytesOf(passed), 0);
    this.#dropped += count;
  }

  /** Both sides of all that was noted so far: first the service, then the callers. `cutShort`: why more passed than that. */
  async summary(run: Pick<Summary, 'startedAt' | 'durationMs' | 'cutShort'>): Promise<Summary> {
    const [held, failed, info] = [[...this.#held], this.#failed, this.info];
    const record = held.map(({ exchange }) => exchange);
    const service = this.#serviceSummary(run, record, await this.#judged(record, info));
    // Whoever has the same key is one caller.
    const callers = [...Map.groupBy(held, ({ facts }) => facts.caller).values()];
    const timelines = callers.map((passed) => watchedTimeline(passed, this.#basePath, info));
    const ofCallers = judgeCaller(timelines, CALLER_CHECKS, () => ['watched']).checks;
    const checks = [...service.checks, ...ofCallers].map((now) =>
      isFailed(now) ? now : (failed.get(now.id) ?? now),
    );
    const clauses = clauseResults(checks, {
      invariants: new Set(service.checks.map(({ id }) => id)),
      keys: new Set(['primary', 'second', 'unscoped']),
    });
    const cutShort = [...run.cutShort, ...this.#little()];
    return {
      ...service,
      outcome: outcomeOf(checks, cutShort),
      checks,
      clauses: clauses.map(explained),
      cutShort,
      warnings: this.#warnings(),
    };
  }

  /** What the exchanges show of the service. Others pass between two judgements. */
  async #judged(record: readonly Exchange[], info: TargetInfo) {
    const { redacted = (ruling) => ruling } = this.#options;
    const steps = judgingInvariants(SERVICE_JUDGEMENTS, record, info, redacted);
    let step = steps.next();
    while (step.done !== true) {
      await nextTurn();
      step = steps.next();
    }
    return new Map([...step.value].map(([of, rulings]) => [of, tallyExchanges(rulings)] as const));
  }

  #serviceSummary(
    { startedAt, durationMs }: Pick<Summary, 'startedAt' | 'durationMs'>,
    record: readonly Exchange[],
    invariants: ReadonlyMap<(typeof SERVICE_JUDGEMENTS)[number], Tally>,
  ): Summary {
    const { baseUrl } = this.#options;
    return summarise({
      target: { baseUrl, kind: 'live', profile: {}, headers: [], passing: true },
      seed: 0,
      again: undefined,
      caps: { requests: null, completions: null, outputTokens: null },
      withholds: undefined,
      remembered: [],
      trials: [],
      info: this.info,
      draws: { begun: 0, cut: 0 },
      keys: new Set(['primary']),
      checks: new Map(),
      invariants,
      record,
      spent: { ...this.#counts, outputTokens: 0 },
      isAccountedFor: () => false,
      cutShort: [],
      startedAt,
      durationMs,
    });
  }

  #little(): readonly string[] {
    if (this.#counts.requests === 0) return [NOTHING_PASSED];
    return this.#hasAccepted ? [] : [NONE_ACCEPTED];
  }

  #warnings(): readonly string[] {
    if (this.#dropped === 0) return [];
    return [`the first ${this.#dropped} requests are no longer held: only what failed in them is kept`];
  }
}

function isFailed({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
}

/** An uncertain outcome is the service's and the caller's business, and leaves nothing of this open. */
function outcomeOf(checks: readonly CheckResult[], cutShort: readonly string[]): RunOutcome {
  const verdicts = new Set(checks.map(({ verdict }) => verdict));
  if (verdicts.has('fail')) return 'violations';
  const isWhole = cutShort.length === 0 && !verdicts.has('error');
  return isWhole && (verdicts.has('pass') || verdicts.has('observed')) ? 'conformant' : 'incomplete';
}

const NOT_SHOWN =
  'nothing that passes by shows it: it takes requests that chat-conformance --base-url or chat-conformance caller sends';

/** A clause, or a duty of it, that no exchange bears on. */
function explained(clause: ClauseResult): ClauseResult {
  if (clause.verdict === 'not-exercised') return { ...clause, reason: NOT_SHOWN };
  if (clause.missing === undefined) return clause;
  const missing = clause.missing.map(({ duty }) => ({ duty, reason: NOT_SHOWN }));
  const parts = missing.map(({ duty }) => duty).join('; ');
  return { ...clause, missing, reason: `passed in part, without: ${parts} (${NOT_SHOWN})` };
}

function isAccepted({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && isSuccess(outcome.answer);
}

function bytesOf({ exchange: { request, outcome } }: PassedExchange): number {
  const answered = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return (request.body?.length ?? 0) + (answered?.body.length ?? 0);
}
