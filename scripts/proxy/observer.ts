import { setImmediate as nextTurn } from 'node:timers/promises';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { inRun } from '../../suites/caller/chats.ts';
import { judgeCaller } from '../../suites/caller/judge-caller.ts';
import { recordedCriterion, runEntry } from '../../suites/engine/journal/entries.ts';
import type { JournalLines } from '../../suites/engine/journal/read-journal.ts';
import { exchangeOf, runOf } from '../../suites/engine/journal/recording.ts';
import type { InvariantEntry, RunEntry, SentEntry } from '../../suites/engine/model/entry-schema.ts';
import { addressOf, type Network } from '../../suites/engine/model/network.ts';
import type { CheckResult, ClauseResult, Summary } from '../../suites/engine/model/summary.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, hasSucceeded } from '../../suites/engine/reading/answers.ts';
import { judgeInvariant } from '../../suites/engine/running/recorded/judge-invariants.ts';
import { clauseResults } from '../../suites/engine/summary/clause-results.ts';
import { outcomeOf, summarise } from '../../suites/engine/summary/summarise.ts';
import { FileError } from '../../suites/engine/text/read-json-file.ts';
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

type Run = Pick<Summary, 'startedAt' | 'durationMs' | 'cutShort'>;

/** Judges both sides of what passed: while it passes, or from a journal. */
export class Observer {
  readonly #baseUrl: string;
  readonly #models: SeenModels;
  readonly #spent = { requests: 0, completions: 0, outputTokens: 0 };
  #held: PassedExchange[] = [];
  #bytes = 0;
  #hasAccepted = false;
  #dropped = 0;
  /** What failed in exchanges that are no longer held, by check. */
  #failed: ReadonlyMap<string, CheckResult> = new Map();

  /** `bufferedBy`: who may hold answers back on the way from the service. */
  constructor(baseUrl: string, bufferedBy?: string) {
    this.#baseUrl = baseUrl;
    this.#models = new SeenModels(bufferedBy);
  }

  get info(): TargetInfo {
    return this.#models.info;
  }

  /** In the order in which exchanges are recorded, one after another. */
  async note(passed: PassedExchange): Promise<void> {
    const { exchange } = passed;
    const isChat = endpointOf(exchange.request) === 'chat';
    this.#spent.requests += 1;
    this.#spent.completions += isChat ? 1 : 0;
    this.#hasAccepted ||= isChat && hasSucceeded(exchange);
    this.#models.note(exchange);
    this.#held.push(passed);
    this.#bytes += bytesOf(passed);
    if (this.#held.length > MOST_HELD || this.#bytes > MOST_HELD_BYTES)
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
  async summary(run: Run): Promise<Summary> {
    const [held, failed, info, dropped] = [[...this.#held], this.#failed, this.info, this.#dropped];
    const service = await this.#serviceSummary(run, held, info);
    // Whoever has the same key is one caller.
    const callers = [...Map.groupBy(held, ({ facts }) => facts.caller).values()];
    const basePath = addressOf(this.#baseUrl).path;
    const timelines = inRun(callers.map((passed) => watchedTimeline(passed, basePath, info)));
    const ofCallers = judgeCaller(timelines, CALLER_CHECKS).checks;
    const checks = [...service.checks, ...ofCallers].map((now) =>
      isFailed(now) ? now : (failed.get(now.id) ?? now),
    );
    const clauses = clauseResults(checks, {
      invariants: new Set(service.checks.map(({ id }) => id)),
      keys: new Set(['primary', 'second', 'unscoped']),
    });
    const little = this.#spent.requests === 0 ? [NOTHING_PASSED] : this.#hasAccepted ? [] : [NONE_ACCEPTED];
    const cutShort = [...run.cutShort, ...little];
    return {
      ...service,
      // An uncertain outcome is the service's and the caller's business, and leaves nothing of this open.
      outcome: outcomeOf(checks, cutShort),
      checks,
      clauses: clauses.map(explained),
      cutShort,
      warnings:
        dropped === 0
          ? []
          : [`the first ${dropped} requests are no longer held: only what failed in them is kept`],
    };
  }

  /** What the exchanges show of the service. Others pass between two judgements. */
  async #serviceSummary(
    { startedAt, durationMs, cutShort }: Run,
    held: readonly PassedExchange[],
    info: TargetInfo,
  ): Promise<Summary> {
    const record = held.map(({ exchange }) => exchange);
    const invariants: InvariantEntry[] = [];
    for (const each of SERVICE_JUDGEMENTS) {
      await nextTurn();
      invariants.push(judgeInvariant(each, record, info));
    }
    const summary = summarise({
      run: {
        ...passingRun(this.#baseUrl, startedAt),
        invariants: SERVICE_JUDGEMENTS.map(recordedCriterion),
      },
      info,
      record,
      sent: new Map(),
      inFlight: [],
      shown: new Set(),
      trials: [],
      invariants,
      finished: { type: 'finished', durationMs, cutShort },
    });
    return { ...summary, spent: { ...this.#spent, uncertain: summary.spent.uncertain } };
  }
}

/** The first entry of the journal of what passes: nothing was sent. */
export function passingRun(baseUrl: string, startedAt: string, network?: Network): RunEntry {
  const passing = {
    baseUrl,
    kind: 'live',
    keys: { primary: '' },
    profile: {},
    headers: {},
    passing: true,
  } as const;
  const none = { seed: 0, runs: 'few', concurrency: 0, timeoutMs: 0, checks: [], invariants: [] } as const;
  const caps = { requests: Infinity, completions: Infinity, outputTokens: Infinity };
  const target = { ...passing, ...(network && { network }) };
  return runEntry({ ...none, caps, allow: new Set(), target }, startedAt);
}

function isFailed({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
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

function bytesOf({ exchange: { request, outcome } }: PassedExchange): number {
  const answered = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return (request.body?.length ?? 0) + (answered?.body.length ?? 0);
}

const NOT_ENDED = 'the proxy has not ended, or was killed: its journal lacks what was under way';

/** What a proxy says of the traffic in its journal. The journal holds no verdicts: this release judges. */
export async function journalSummary(lines: JournalLines): Promise<Summary> {
  const { startedAt, target } = runOf(lines, lines.file);
  const { baseUrl } = target;
  let observer = new Observer(baseUrl);
  let sent: SentEntry | undefined;
  let end = { durationMs: 0, cutShort: [NOT_ENDED] };
  for (const entry of lines) {
    if (entry.type === 'survey') observer = new Observer(baseUrl, entry.survey.bufferedBy);
    if (entry.type === 'sent') {
      sent = entry;
      end.durationMs = Date.parse(entry.at) - Date.parse(startedAt);
    }
    if (entry.type === 'finished') end = { durationMs: entry.durationMs, cutShort: [...entry.cutShort] };
    if (entry.type !== 'ended') continue;
    const { id, outcome, passed: facts } = entry;
    if (facts === undefined)
      throw new FileError(`${lines.file} is of an older proxy: report it with that release`);
    if (id === sent?.id) await observer.note({ exchange: exchangeOf(sent, outcome), facts });
  }
  return observer.summary({ startedAt, ...end });
}
