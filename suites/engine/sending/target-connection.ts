import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Answer, Credential, ExchangeOptions, Outcome, SentRequest } from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { proxyDoubt } from '../model/ruling.ts';
import type { Keys, Target } from '../model/run.ts';
import { bufferedBy } from '../network/route.ts';
import { declaredCodings, endpointOf, isSuccess, isUnavailable } from '../reading/answers.ts';
import { withoutCodings } from '../reading/content-codings.ts';
import { isWholeError } from '../reading/errors/read-error.ts';
import type { Redactor } from '../text/redact.ts';
import { KEPT_BYTES, ReceivedBody } from './received-body.ts';
import { GATEWAY_ERROR, openTransport } from './transport.ts';

export type TargetConnection = ReturnType<typeof connectTo>;

/** Connects to a target: adds the key to each request, and removes every key from the answers. */
export function connectTo(target: Target, timeoutMs: number, redactor: Redactor) {
  const address = addressOf(target.baseUrl);
  const { exchange, close } = openTransport(address, timeoutMs, target.network);
  const { profile } = target;
  const doubted = proxyDoubts(bufferedBy(target.baseUrl, target.network));
  return {
    /** Sends exactly once. */
    exchange: async (request: SentRequest, options: ExchangeOptions): Promise<Outcome> => {
      const most = endpointOf(request) === 'models' ? KEPT_OF_LIST : KEPT_BYTES;
      const kept = { ...options, keepBytes: Math.min(most, options.keepBytes ?? most) };
      const outcome = await exchange(wireRequest(request, target, address.path), kept);
      const asksForCoding = request.headers['accept-encoding'] !== undefined;
      const plain = asksForCoding ? await decodedOutcome(outcome, kept) : outcome;
      return redactor.outcome(doubted(certainIfSaid(plain, profile), options), request.credential);
    },
    close,
  };
}

/**
 * A service that says with a whole error object that it is unavailable, or limits the rate, has done nothing (ERR-6). A
 * gateway may say 503 as well, with a page or an object of its own, and only the workspace shows what was done (ERR-7).
 */
export function certainIfSaid(outcome: Outcome, profile: Target['profile']): Outcome {
  if (outcome.kind !== 'uncertain' || outcome.answer === undefined) return outcome;
  const { answer } = outcome;
  const isSaid =
    isUnavailable(answer) && outcome.reason.startsWith(GATEWAY_ERROR) && isWholeError(answer, { profile });
  return isSaid ? { kind: 'answered', answer } : outcome;
}

/**
 * What an outcome is behind a proxy that may answer itself, such as where it does not reach the service: a failure whose
 * answer has no header of those that the service sends elsewhere is that of a gateway (ERR-7). `by`: undefined without one.
 */
function proxyDoubts(by: string | undefined): (outcome: Outcome, options: ExchangeOptions) => Outcome {
  const sent = new Set<string>();
  return (outcome, { armed }) => {
    if (by === undefined || outcome.kind !== 'answered') return outcome;
    const { answer } = outcome;
    const signs = signsOfSender(answer);
    if (isSuccess(answer)) for (const sign of signs) sent.add(sign);
    const isKnown = sent.size === 0 || signs.some((sign) => sent.has(sign));
    if (answer.status < 500 || armed !== undefined || isKnown) return outcome;
    const doubt = proxyDoubt(by, `answered with status ${answer.status} instead of the service`);
    return { kind: 'uncertain', reason: `${GATEWAY_ERROR}: ${doubt}`, answer };
  };
}

/** Headers that any server sends, and those that a proxy adds to an answer. */
const OF_NOBODY =
  /^(?:server|date|connection|keep-alive|transfer-encoding|content-.*|cache-.*|vary|age|retry-after|via|x-cache.*|mime-version)$/;

/** What shows who sent an answer: a proxy names itself in `server`; a service without that header has at least a date. */
function signsOfSender({ headers }: Answer): readonly string[] {
  const { server, date } = headers;
  const own = Object.keys(headers).filter((name) => !OF_NOBODY.test(name));
  if (server !== undefined) return [...own, `server: ${server}`];
  return date === undefined ? own : [...own, 'date'];
}

/** The outcome with the body that the service wrote before it put it into a coding; as it is where the coding is wrong. */
export async function decodedOutcome(outcome: Outcome, { keepBytes }: ExchangeOptions): Promise<Outcome> {
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return outcome;
  const { answer } = outcome;
  const codings = declaredCodings(answer);
  if (codings.length === 0 || answer.body.length === 0 || answer.whole !== undefined) return outcome;
  const plain = await withoutCodings(answer.body, codings);
  if (plain === 'wrong') return outcome;
  if (plain === 'too-large')
    return { kind: 'uncertain', reason: 'an answer that is too large without its coding' };
  const body = new ReceivedBody(keepBytes);
  body.add(plain, answer.pieces.at(-1)?.at ?? answer.endedAt);
  return { ...outcome, answer: { ...answer, ...body.read(), decoded: true } };
}

/** Some services list hundreds of models with all that is to be said of them, and everything else depends on it. */
const KEPT_OF_LIST = 2 * 1024 * 1024;

/** The request with the key and the headers of every request; `base`: the path of its base URL. */
export function wireRequest(request: SentRequest, target: Pick<Target, 'headers' | 'keys'>, base: string) {
  const { headers: authorizing, query = '' } = authorization(request.credential, target.keys);
  return {
    method: request.method,
    path: base + request.path + query,
    headers: {
      // A request without this header accepts any coding (RFC 9110), and the bytes of the service are judged.
      'accept-encoding': 'identity',
      ...target.headers,
      ...request.headers,
      ...authorizing,
    },
    body: request.body,
  };
}

/** What carries a credential: headers, or a query with its question mark. */
function authorization(credential: Credential, keys: Keys) {
  if (credential.kind === 'none') return {};
  if (credential.kind === 'key')
    return { headers: { [HEADERS.authorization]: `Bearer ${keys[credential.name] ?? ''}` } };
  const { header, elsewhere = { header: HEADERS.authorization } } = credential;
  const value = header(keys.primary);
  if ('header' in elsewhere) return { headers: { [elsewhere.header]: value } };
  return { query: `?${new URLSearchParams({ [elsewhere.query]: value }).toString()}` };
}
