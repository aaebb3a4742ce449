import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Answer, Outcome } from '../model/exchange.ts';
import type { Summary } from '../model/summary.ts';
import { CONNECTION_REFUSED } from '../network/connection-failures.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson } from '../reading/json.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-text.ts';

/** A run could not begin: why, in one line with the way out. */
abstract class CannotBegin extends Error {
  /** From which its reports are made. */
  summary?: Summary;
}

/** The target is unreachable, or does not answer the first request of the run. */
export class TargetUnreachable extends CannotBegin {
  override readonly name = 'TargetUnreachable';
}

/** The target itself refuses a key that the run was given. */
export class KeyRefused extends CannotBegin {
  override readonly name = 'KeyRefused';
}

/** The first request of a run, for messages. */
export interface FirstRequest {
  readonly url: string;
  /** Where the key is that it carried. */
  readonly key: string;
  /** A proxy that answers in its own name where it cannot pass the request on. */
  readonly proxy: string | undefined;
  /** Where the credentials for that proxy are. */
  readonly login: string;
}

/**
 * The answer to the first request, which may be a list of models.
 * @throws {TargetUnreachable | KeyRefused} Given any other.
 */
export function firstAnswer(outcome: Outcome, first: FirstRequest): Answer {
  const { url, key } = first;
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  const isGateways = answer !== undefined && answer.status > 500;
  if (answer === undefined || (outcome.kind === 'uncertain' && !isGateways))
    throw new TargetUnreachable(
      `no answer from ${url}: ${'reason' in outcome ? whyNone(outcome.reason, url) : ''}`,
    );
  if (isSuccess(answer)) return answer;
  const isRefusal = answer.status === 401 || answer.status === 403;
  if (isRefusal && saysJson(answer))
    throw new KeyRefused(`${url} refused the key in ${key}: status ${answer.status}`);
  throw new TargetUnreachable(isRefusal ? gatewayLine(answer, first) : statusLine(answer, first));
}

function whyNone(reason: string, url: string): string {
  if (reason === CONNECTION_REFUSED) return `${reason}: nothing listens there; is the service started?`;
  // A service that speaks TLS alone cuts what does not.
  return reason.startsWith('the connection broke') && url.startsWith('http://')
    ? `${reason}: does it speak TLS at this port, so that the base URL begins with https://?`
    : reason;
}

/** What stands in front of a service refuses in its own words: it knows nothing of error objects. */
function gatewayLine(answer: Answer, { url, key, proxy, login }: FirstRequest): string {
  const { status, headers } = answer;
  const past = `(--no-proxy ${new URL(url).hostname} goes past the proxy)`;
  const [, scheme] = /^\s*(basic|digest|negotiate|ntlm)\b/i.exec(headers['www-authenticate'] ?? '') ?? [];
  // tinyproxy says 401 to wrong credentials, and 407 only to none.
  if (scheme !== undefined && proxy !== undefined)
    return `${proxy} refused its credentials (${status}, ${scheme}): check ${login}, or those in HTTP_PROXY or ALL_PROXY; or a gateway behind it wants a login of its own ${past}`;
  if (scheme !== undefined)
    return `${url} is behind a gateway that wants a login of its own (${status}, ${scheme}), in the header that carries the key: let this run pass it by another header (--header NAME:VALUE) or by its address`;
  const who = proxy === undefined ? 'a gateway in front of the service' : `${proxy} or a gateway`;
  const other = proxy === undefined ? ',' : ` ${past},`;
  return `${url} was refused with ${status}${said(answer)}, and not by an error object: ${who} may want a header (--header NAME:VALUE) or other leave${other} unless the key in ${key} is wrong`;
}

function statusLine(answer: Answer, { url, proxy }: FirstRequest): string {
  const { status, headers } = answer;
  const whole = `${url} answered ${status}`;
  const wait = headers[HEADERS.retryAfter];
  const asked = wait === undefined ? '' : ` (it says: try again after ${printable(wait, 40)})`;
  if (status >= 300 && status < 400) return `${whole}: it redirects ${redirect(headers['location'], url)}`;
  if (status === 404)
    return `${whole}: nothing is at this path; check what stands before /v1 in the base URL${said(answer)}`;
  if (status === 429) return `${whole} each time: its rate limit refuses every request${asked}`;
  const isProxys = proxy !== undefined && status >= 500 && !saysJson(answer);
  const who =
    proxy === undefined
      ? 'the service behind the gateway'
      : `${proxy} or a gateway has no answer: the service`;
  if (isProxys || status === 502 || status === 503 || status === 504)
    return `${whole}: ${who} is down or still starting${asked}${said(answer)}`;
  return `${whole}, not a list of models: is this the base URL of the service?${said(answer)}`;
}

/** Its query may hold a secret. */
function redirect(location: string | undefined, url: string): string {
  const to = location === undefined ? null : URL.parse(location, url);
  if (to === null) return 'without saying where to';
  if (!/^https?:$/.test(to.protocol)) return 'to an address that is not http';
  const base = /^(.*\/v1)\/models\/?$/.exec(to.pathname)?.[1];
  const way =
    base === undefined
      ? 'is that a login, or another service?'
      : `pass --base-url ${shellWord(to.origin + base)}`;
  return `to ${to.origin}${to.pathname}: ${way}`;
}

/** Whether an answer is a page, where JSON should be, and its line if so. */
export function pageProblem(answer: Answer, url: string): string | undefined {
  const isPage =
    /html/i.test(answer.headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(beginning(answer));
  if (!isPage || saysJson(answer)) return undefined;
  return `${url} answered ${answer.status} with a page of HTML where JSON should be${said(answer)}: is the base URL that of a web page, or is a login in front of the service?`;
}

function saysJson(answer: Answer): boolean {
  return readJson(answer).kind === 'json';
}

function beginning({ body }: Answer): string {
  return Buffer.from(body.subarray(0, 4000)).toString('latin1');
}

/** Who says that an answer is from it, and the title of its page. */
function said(answer: Answer): string {
  const title = /<title>\s*([^<]{1,80})/i.exec(beginning(answer))?.[1]?.trim();
  const words = [answer.headers['server']?.slice(0, 40), title && `"${title}"`].filter(Boolean);
  return words.length === 0 ? '' : ` (${words.join(': ').replaceAll(/[^\u0020-\u007e]+/g, ' ')})`;
}
