import { HEADERS } from '../../fixtures/chats/wire.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import type { CallerCheck } from '../../suites/caller/judge-caller.ts';
import { failedChats } from '../../suites/caller/observed/chats.ts';
import type {
  RefusalReason,
  RequestOutcome,
  Timeline,
  TimelineRequest,
} from '../../suites/caller/observed/timeline.ts';
import type { Answer, Exchange } from '../../suites/engine/model/exchange.ts';
import { inconclusive, type Ruling } from '../../suites/engine/model/ruling.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { isQuotaStatus, isUnavailable } from '../../suites/engine/reading/answers.ts';
import { dispositionOf } from '../../suites/engine/reading/errors/disposition.ts';
import { readError } from '../../suites/engine/reading/errors/read-error.ts';
import { jsonText } from '../../suites/engine/reading/json.ts';
import { CONNECTION_BROKE } from '../../suites/engine/sending/transport.ts';
import type { PassedExchange } from './passed-exchange.ts';
import { CALLER_LEFT } from './relay.ts';

/** The timeout of the tested configuration (CALL-6). */
const STATED_TIMEOUT_MS = 120_000;

/** What judgements of callers read of an answer. */
const ANSWER_BYTES = 4000;

/** What one caller did. `basePath`: that of the target's base URL. */
export function watchedTimeline(
  passed: readonly PassedExchange[],
  basePath: string,
  info: TargetInfo,
): Timeline {
  return {
    scenario: 'watched',
    requests: passed
      .toSorted((one, other) => one.facts.arrivedAt - other.facts.arrivedAt)
      .map((each, index) => ({ ...timelineRequestOf(each, basePath, info), n: index + 1 })),
    lookups: [],
    items: [],
    atOnce: undefined,
    records: undefined,
    timeoutMs: STATED_TIMEOUT_MS,
    // Documentation may have told the caller the model IDs.
    secretModels: false,
    end: { kind: 'watched' },
  };
}

function timelineRequestOf(
  { exchange, facts }: PassedExchange,
  basePath: string,
  info: TargetInfo,
): Omit<TimelineRequest, 'n'> {
  const { id, request, outcome } = exchange;
  const { arrivedAt, endedAt, keyIn } = facts;
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  const hasLeft = outcome.kind === 'uncertain' && outcome.reason === CALLER_LEFT;
  return {
    place: 'service',
    arrivedAt,
    knownAt: endedAt,
    leftAt: hasLeft ? endedAt : undefined,
    isHeld: false,
    method: request.method,
    path: request.path.startsWith('/..') ? request.path.replace(/^(?:\/\.\.)+/, '') : basePath + request.path,
    headers: request.headers,
    credential: request.credential.kind === 'none' ? 'none' : 'own',
    keyIn,
    idempotencyKey: request.headers[HEADERS.idempotencyKey],
    requestId: id,
    body: Buffer.from(request.body ?? []).toString(),
    status: answer?.status,
    answer: Buffer.from(answer?.body.subarray(0, ANSWER_BYTES) ?? []).toString(),
    outcome: callerOutcome(exchange, info),
    fault: undefined,
    money: undefined,
  };
}

function callerOutcome(exchange: Exchange, info: TargetInfo): RequestOutcome {
  const { outcome } = exchange;
  if (outcome.kind === 'not-sent') return { kind: 'refused', why: 'other' };
  if (outcome.kind === 'uncertain') {
    if (outcome.reason === CALLER_LEFT) return { kind: 'uncertain', why: 'no-answer' };
    return { kind: 'uncertain', why: outcome.reason.startsWith(CONNECTION_BROKE) ? 'cut' : 'gateway' };
  }
  const disposition = dispositionOf(exchange, info);
  const isRefused = disposition === 'refused' || disposition === 'failed';
  return isRefused ? { kind: 'refused', why: reasonOf(outcome.answer, info) } : { kind: 'served' };
}

/** Codes are open (ERR-9): only what their words say. */
function reasonOf(answer: Answer, info: TargetInfo): RefusalReason {
  const error = readError(answer, info);
  const code = typeof error?.code === 'object' ? jsonText(error.code.value).toLowerCase() : '';
  if (isUnavailable(answer)) return 'unavailable';
  if (/rate.?limit|too.?many/.test(code)) return 'rate-limit';
  if (/token|context/.test(code) && /limit|length|exceed|long|large/.test(code)) return 'token-limit';
  if (/model/.test(code) && /unknown|not.?found|no.?such|invalid/.test(code)) return 'unknown-model';
  return isQuotaStatus(answer.status) && answer.status === 429 ? 'rate-limit' : 'other';
}

/** Nobody opens the workspace, finds a request in it and sends its work again sooner than this. */
const QUICKEST_LOOKUP_MS = 10_000;

/** The timeline as if somebody had looked up every lost request, as soon as that is possible, and nothing had been done. */
function withLookups(timeline: Timeline): Timeline {
  const lookups = failedChats(timeline).map(({ knownAt = 0, requestId, idempotencyKey }) => ({
    at: knownAt + QUICKEST_LOOKUP_MS,
    about: idempotencyKey ?? requestId,
    states: new Map(),
  }));
  return { ...timeline, lookups: lookups.toSorted((a, b) => a.at - b.at) };
}

/** A proxy sees no workspace lookup: it blames nothing that a possible one would excuse. */
function judged(check: CallerCheck, timeline: Timeline, run: readonly Timeline[]): Ruling {
  const ruling = check.judge(timeline, run);
  if (ruling.kind !== 'violated') return ruling;
  const best = withLookups(timeline);
  const excused = run.map((each) => (each === timeline ? best : each));
  if (check.judge(best, excused).kind === 'violated') return ruling;
  return inconclusive(
    `${ruling.finding.actual}: it may have been looked up in the workspace, which does not pass by`,
  );
}

/** The judgements of callers, for what passes by. */
export const WATCHED_CALLER_CHECKS: readonly CallerCheck[] = CALLER_CHECKS.map((check) => ({
  ...check,
  judge: (timeline, run) => judged(check, timeline, run),
}));
