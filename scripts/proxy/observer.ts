import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import { inRun, timelineOf } from '../../suites/caller/chats.ts';
import { judgeCaller } from '../../suites/caller/judge-caller.ts';
import { type ObservedRequest, type Timeline, WATCHED } from '../../suites/caller/timeline.ts';
import { recordedCriterion } from '../../suites/engine/journal/entries.ts';
import type { JournalLines } from '../../suites/engine/journal/read-journal.ts';
import { exchangeOf, runOf } from '../../suites/engine/journal/recording.ts';
import type {
  FinishedEntry,
  InvariantEntry,
  RunEntry,
  SentEntry,
} from '../../suites/engine/model/entry-schema.ts';
import type { Exchange } from '../../suites/engine/model/exchange.ts';
import { addressOf } from '../../suites/engine/model/network.ts';
import type { CheckResult, ClauseResult, Summary } from '../../suites/engine/model/summary.ts';
import type { ListedModel, TargetInfo } from '../../suites/engine/model/target.ts';
import { endpointOf, hasSucceeded, isSuccess } from '../../suites/engine/reading/answers.ts';
import { readListing } from '../../suites/engine/reading/models/read-models.ts';
import { judgeInvariants } from '../../suites/engine/running/judge-invariants.ts';
import { clauseResults } from '../../suites/engine/summary/clause-results.ts';
import { outcomeOf, summarise } from '../../suites/engine/summary/summarise.ts';
import { bytesOf, type PassedExchange } from './passed-exchange.ts';
import { SERVICE_JUDGEMENTS } from './service-judgements.ts';
import { lookupBy, observedRequest } from './watched-callers.ts';

/** So many of the latest exchanges are judged together; what failed in earlier ones is kept. */
const MOST_HELD = 1000;

/** The bytes that their requests and answers take. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

const NOTHING_PASSED = 'no request passed';
const NONE_ACCEPTED = 'the service accepted no chat that passed through: nothing is known about completions';

/** Judges both sides of what passed: while it passes, or from a journal. */
export class Observer {
  readonly #run: RunEntry;
  readonly #models = new Map<string, ListedModel>();
  readonly #spent = { requests: 0, completions: 0, outputTokens: 0 };
  #held: PassedExchange[] = [];
  #bytes = 0;
  #hasAccepted = false;
  #dropped = 0;
  /** What failed in exchanges that are no longer held, by check. */
  #failed: ReadonlyMap<string, CheckResult> = new Map();
  /** What is known of the target: the models that any key was shown. Another object where more was learned. */
  info: TargetInfo;

  /** `bufferedBy`: who may hold answers back on the way from the service. */
  constructor(run: RunEntry, bufferedBy?: string) {
    this.#run = { ...run, invariants: SERVICE_JUDGEMENTS.map(recordedCriterion) };
    this.info = {
      profile: {},
      keys: new Set(['primary']),
      models: [{ id: 'unknown' }],
      control: false,
      ...(bufferedBy !== undefined && { bufferedBy }),
      outputTokens: Number.MAX_SAFE_INTEGER,
      thrifty: true,
    };
  }

  /** In the order in which exchanges are recorded, one after another. */
  async note(passed: PassedExchange): Promise<void> {
    const { exchange } = passed;
    const isChat = endpointOf(exchange.request) === 'chat';
    this.#spent.requests += 1;
    this.#spent.completions += isChat ? 1 : 0;
    this.#hasAccepted ||= isChat && hasSucceeded(exchange);
    this.#learnModels(exchange);
    this.#held.push(passed);
    this.#bytes += bytesOf(exchange.request.body?.length, exchange);
    if (this.#held.length <= MOST_HELD && this.#bytes <= MOST_HELD_BYTES) return;
    const { checks } = await this.summary({ durationMs: 0, cutShort: [] });
    this.#failed = new Map(checks.filter(isFailed).map((result) => [result.id, result]));
    const dropped = this.#held.splice(0, Math.ceil(this.#held.length / 2));
    for (const { exchange: each } of dropped) this.#bytes -= bytesOf(each.request.body?.length, each);
    this.#dropped += dropped.length;
  }

  #learnModels({ request, outcome }: Exchange): void {
    if (endpointOf(request) !== 'models' || outcome.kind !== 'answered' || !isSuccess(outcome.answer)) return;
    const reading = readListing(outcome.answer, this.info);
    if (reading.kind !== 'models') return;
    for (const model of reading.models) this.#models.set(model.id, model);
    const [first = { id: 'unknown' }, ...others] = this.#models.values();
    const models = [first, ...others] as const;
    if (!isDeepStrictEqual(models, this.info.models)) this.info = { ...this.info, models };
  }

  /** Both sides of all that was noted so far: first the service, then the callers. */
  async summary(run: Pick<FinishedEntry, 'durationMs' | 'cutShort'>): Promise<Summary> {
    const [held, failed, info, dropped] = [[...this.#held], this.#failed, this.info, this.#dropped];
    const little = this.#spent.requests === 0 ? [NOTHING_PASSED] : this.#hasAccepted ? [] : [NONE_ACCEPTED];
    const cutShort = [...run.cutShort, ...little];
    const record = held.map(({ exchange }) => exchange);
    const invariants: InvariantEntry[] = [];
    for (const each of SERVICE_JUDGEMENTS) {
      // Others pass between two judgements.
      await nextTurn();
      invariants.push(...judgeInvariants([each], record, info));
    }
    const nothing = { sent: new Map(), inFlight: [], shown: new Set<string>(), trials: [] };
    const finished = { ...run, type: 'finished', cutShort } as const;
    const service = summarise({ ...nothing, run: this.#run, info, record, invariants, finished });
    const { checks: ofCallers } = judgeCaller(this.#timelines(held), CALLER_CHECKS);
    const checks = [...service.checks, ...ofCallers].map((now) =>
      isFailed(now) ? now : (failed.get(now.id) ?? now),
    );
    const clauses = clauseResults(checks, new Set(service.checks.map(({ id }) => id)));
    return {
      ...service,
      // An uncertain outcome is the service's and the caller's business, and leaves nothing of this open.
      outcome: outcomeOf(checks, cutShort),
      checks,
      clauses: clauses.map(explained),
      cutShort,
      spent: { ...this.#spent, uncertain: service.spent.uncertain },
      warnings:
        dropped === 0 ? [] : [`the first ${dropped} requests are no longer kept, except what failed in them`],
    };
  }

  /** Whoever has the same key is one caller. */
  #timelines(held: readonly PassedExchange[]): readonly Timeline[] {
    const { baseUrl, controlUrl } = this.#run.target;
    const basePath = addressOf(baseUrl).path;
    const control = controlUrl === undefined ? undefined : addressOf(controlUrl).path;
    const isControl = ({ path }: ObservedRequest): boolean =>
      control !== undefined && path.startsWith(`${control}/`);
    const observed = held.map((passed) => ({
      caller: passed.facts.caller,
      request: observedRequest(passed, basePath, this.info),
    }));
    // A lookup may have no key, or one of its own: it counts for every caller.
    const lookups = observed.flatMap(({ request }) => (isControl(request) ? lookupBy(request) : []));
    const asked = observed.filter(({ request }) => !isControl(request));
    const callers = [...Map.groupBy(asked, ({ caller }) => caller).values()];
    const facts = { ...WATCHED, lookups: control === undefined ? undefined : lookups };
    const requestsOf = callers.map((sent) => sent.map(({ request }) => request));
    return inRun(requestsOf.map((requests) => timelineOf(requests, facts)));
  }
}

function isFailed({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
}

const NOT_SHOWN =
  'observed traffic cannot show it: run chat-conformance --base-url or chat-conformance caller';

/** A clause, or a duty of it, that no exchange bears on. */
function explained(clause: ClauseResult): ClauseResult {
  if (clause.verdict === 'not-exercised') return { ...clause, reason: NOT_SHOWN };
  if (clause.missing === undefined) return clause;
  const missing = clause.missing.map(({ duty }) => ({ duty, reason: NOT_SHOWN }));
  const parts = missing.map(({ duty }) => duty).join('; ');
  return { ...clause, missing, reason: `passed in part, without: ${parts} (${NOT_SHOWN})` };
}

const NOT_ENDED = 'the proxy is still running or was killed: its journal lacks the requests in flight';

/** What a proxy says of the traffic in its journal. The journal holds no verdicts: this release judges. */
export async function journalSummary(lines: JournalLines): Promise<Summary> {
  const run = runOf(lines, lines.file);
  let observer = new Observer(run);
  let sent: SentEntry | undefined;
  let end: Pick<FinishedEntry, 'durationMs' | 'cutShort'> = { durationMs: 0, cutShort: [NOT_ENDED] };
  for (const entry of lines) {
    if (entry.type === 'survey') observer = new Observer(run, entry.survey.bufferedBy);
    if (entry.type === 'finished') end = entry;
    if (entry.type === 'sent') {
      sent = entry;
      end = { ...end, durationMs: Date.parse(entry.at) - Date.parse(run.startedAt) };
    }
    // Journals of older proxies lack what passed.
    if (entry.type === 'ended' && entry.passed !== undefined && entry.id === sent?.id)
      await observer.note({ exchange: exchangeOf(sent, entry.outcome), facts: entry.passed });
  }
  return observer.summary(end);
}
