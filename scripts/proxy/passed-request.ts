import { HEADERS } from '../../fixtures/chats/wire.ts';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { CALLER_CHECKS } from '../../suites/caller-catalogue.ts';
import type { CallerCheck } from '../../suites/caller/judge-caller.ts';
import { failedChats } from '../../suites/caller/observed/chats.ts';
import type {
  RefusalReason,
  RequestOutcome,
  TimelineRequest,
  Timeline,
} from '../../suites/caller/observed/timeline.ts';
import type { Answer, Exchange } from '../../suites/kit/model/exchange.ts';
import { inconclusive, type Ruling } from '../../suites/kit/model/ruling.ts';
import type { TargetInfo } from '../../suites/kit/model/target.ts';
import { isQuotaStatus, isUnavailable } from '../../suites/kit/reading/answers.ts';
import { dispositionOf } from '../../suites/kit/reading/errors/disposition.ts';
import { readError } from '../../suites/kit/reading/errors/read-error.ts';
import { jsonText } from '../../suites/kit/reading/json.ts';
import { type KeyRing, shownAddress } from './key-ring.ts';
import type { RelayedExchange } from './relayed-exchange.ts';

/** What passed as the judgements of callers see it. Its times count from `startedAt`. */
export function timelineRequestOf(
  relayed: RelayedExchange,
  exchange: Exchange,
  ring: KeyRing,
  { info, startedAt }: { readonly info: TargetInfo; readonly startedAt: number },
): TimelineRequest {
  const { request, outcome } = exchange;
  const leftAt = relayed.end?.kind === 'left' ? relayed.endedAt : undefined;
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return {
    n: relayed.n,
    place: 'service',
    arrivedAt: relayed.arrivedAt - startedAt,
    knownAt: relayed.endedAt === undefined ? undefined : relayed.endedAt - startedAt,
    leftAt: leftAt === undefined ? undefined : leftAt - startedAt,
    isHeld: false,
    method: relayed.method,
    path: shownAddress(relayed.url, ring.redactor),
    headers: request.headers,
    credential: request.credential.kind === 'none' ? 'none' : 'own',
    keyIn: keyPlaces(relayed, ring),
    idempotencyKey: request.headers[HEADERS.idempotencyKey],
    requestId: exchange.id,
    body: Buffer.from(request.body ?? []).toString(),
    status: answer?.status,
    answer: answer === undefined ? '' : Buffer.from(answer.body).toString(),
    outcome: callerOutcome(relayed, exchange, info),
    fault: undefined,
    money: undefined,
  };
}

function callerOutcome({ end }: RelayedExchange, exchange: Exchange, info: TargetInfo): RequestOutcome {
  const { outcome } = exchange;
  if (end === undefined) return { kind: 'running' };
  if (end.kind === 'left') return { kind: 'uncertain', why: 'no-answer' };
  if (outcome.kind === 'not-sent') return { kind: 'refused', why: 'other' };
  if (outcome.kind === 'uncertain') return { kind: 'uncertain', why: end.kind === 'cut' ? 'cut' : 'gateway' };
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

/** Where else than in Authorization the request has a key. */
function keyPlaces({ url, rawHeaders, body }: RelayedExchange, { redactor }: KeyRing): readonly string[] {
  const holds = (text: string): boolean => redactor.text(text) !== text;
  const headers = namedValues(rawHeaders)
    .filter(([name, value]) => name.toLowerCase() !== HEADERS.authorization && holds(value))
    .map(([name]) => `the header ${name.toLowerCase()}`);
  const sent = body.read().body;
  return [
    ...(holds(url) ? ['the address'] : []),
    ...(redactor.bytes(sent) === sent ? [] : ['the body']),
    ...headers,
  ];
}

/** Nobody opens the workspace, finds a request in it and sends its work again sooner than this. */
const QUICKEST_LOOKUP_MS = 10_000;

/** The timeline as it would be if every lost request had been looked up, and found to be free, where that is possible. */
function withLookups(timeline: Timeline): Timeline {
  const lookups = failedChats(timeline).map(({ knownAt = 0, requestId, idempotencyKey }) => ({
    at: knownAt + QUICKEST_LOOKUP_MS,
    about: idempotencyKey ?? requestId,
    states: new Map(),
  }));
  return { ...timeline, lookups: [...timeline.lookups, ...lookups].toSorted((a, b) => a.at - b.at) };
}

/** A proxy sees no workspace lookup: what a possible one would excuse is not blamed. */
function excused(check: CallerCheck, timeline: Timeline, run: readonly Timeline[]): Ruling {
  const ruling = check.judge(timeline, run);
  if (ruling.kind !== 'violated') return ruling;
  const best = withLookups(timeline);
  const other = check.judge(
    best,
    run.map((each) => (each === timeline ? best : each)),
  );
  return other.kind === 'violated'
    ? ruling
    : inconclusive(
        `${ruling.finding.actual}: it may have been looked up in the workspace, which does not pass by`,
      );
}

/** The judgements of callers, for what passes by. */
export const PROXY_CALLER_CHECKS: readonly CallerCheck[] = CALLER_CHECKS.map((check) => ({
  ...check,
  judge: (timeline, run) => excused(check, timeline, run),
}));
