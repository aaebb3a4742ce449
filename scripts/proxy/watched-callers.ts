import { HEADERS } from '../../fixtures/chats/chat.ts';
import type { ObservedRequest, WorkspaceLookup } from '../../suites/caller/timeline.ts';
import { requests } from '../../suites/engine/model/deployment.ts';
import { type Answer, CONNECTION_BROKE, type Exchange } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { isUnavailable } from '../../suites/engine/reading/answers.ts';
import { dispositionOf } from '../../suites/engine/reading/errors/disposition.ts';
import { codeOfError } from '../../suites/engine/reading/errors/read-error.ts';
import { jsonIn, jsonText } from '../../suites/engine/reading/json.ts';
import type { PassedExchange } from './passed-exchange.ts';
import { CALLER_LEFT } from './relay.ts';

/** What judgements of callers read of an answer. */
const ANSWER_BYTES = 4000;

/** A request of a caller, as a judge of callers sees it. `basePath`: that of the target's base URL. */
export function observedRequest(passed: PassedExchange, basePath: string, info: TargetInfo): ObservedRequest {
  const { id, request, outcome } = passed.exchange;
  const { arrivedAt, endedAt, keyIn } = passed.facts;
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return {
    place: 'service',
    arrivedAt,
    knownAt: endedAt,
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
    outcome: callerOutcome(passed.exchange, info),
  };
}

const LOOKUP = /\/(?:requests(?:\/[^/]+)?|workspace|journal)$/;

/** What a read of the workspace showed, as docs/control-protocol.md has it; empty: it was none. */
export function lookupBy(read: ObservedRequest): readonly WorkspaceLookup[] {
  const { method, path, status, answer, arrivedAt: at } = read;
  const { pathname, searchParams } = new URL(path, 'http://control.invalid');
  if (method !== 'GET' || status !== 200 || !LOOKUP.test(pathname)) return [];
  const about = searchParams.get('idempotencyKey');
  const shown = requests.safeParse(jsonIn(answer)).data?.requests ?? [];
  const entries = shown.map(({ requestId, state }) => ({ requestId, state, idempotencyKey: about }));
  return [{ at, about, entries }];
}

function callerOutcome(exchange: Exchange, info: TargetInfo): ObservedRequest['outcome'] {
  const { outcome } = exchange;
  if (outcome.kind === 'not-sent') return 'other';
  if (outcome.kind === 'uncertain') {
    if (outcome.reason === CALLER_LEFT) return 'no-answer';
    return outcome.reason.startsWith(CONNECTION_BROKE) ? 'cut' : 'gateway';
  }
  const disposition = dispositionOf(exchange, info);
  const isRefusal = disposition === 'refused' || disposition === 'failed';
  return isRefusal ? reasonOf(outcome.answer, info) : 'served';
}

/** Codes are open (ERR-9): only what their words say. */
function reasonOf(answer: Answer, info: TargetInfo): ObservedRequest['outcome'] {
  const code = jsonText(codeOfError(answer, info) ?? '').toLowerCase();
  if (isUnavailable(answer)) return 'unavailable';
  if (/rate.?limit|too.?many/.test(code)) return 'rate-limit';
  if (/token|context/.test(code) && /limit|length|exceed|long|large/.test(code)) return 'token-limit';
  if (/model/.test(code) && /unknown|not.?found|no.?such|invalid/.test(code)) return 'unknown-model';
  return answer.status === 429 ? 'rate-limit' : 'other';
}
