import { HEADERS } from '../../../fixtures/chats/chat.ts';
import { type Answer, CONNECTION_BROKE, type Outcome } from '../model/exchange.ts';
import type { Summary } from '../model/summary.ts';
import { CONNECTION_REFUSED } from '../network/connection-failures.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson } from '../reading/json.ts';
import { printable } from '../text/printable.ts';
import { shellWord } from '../text/shell-text.ts';

/** A run could not begin: why, in one line with the way out. */
export abstract class CannotBegin extends Error {
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
export function firstAnswer(outcome: Outcome, { url, key, proxy, login }: FirstRequest): Answer {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  const isGateways = answer !== undefined && answer.status > 500;
  if (answer === undefined || (outcome.kind === 'uncertain' && !isGateways))
    throw new TargetUnreachable(
      `no answer from ${url}: ${'reason' in outcome ? whyNone(outcome.reason, url) : ''}`,
    );
  if (isSuccess(answer)) return answer;
  const { status } = answer;
  const isJson = saysJson(answer);
  if (isJson && (status === 401 || status === 403))
    throw new KeyRefused(`${url} refused the key in ${key}: status ${status}`);
  const by =
    proxy === undefined || isJson
      ? ''
      : `; if ${proxy} answered this, check ${login}, or bypass it with --no-proxy ${new URL(url).hostname}`;
  throw new TargetUnreachable(`${url} answered ${status}${said(answer)}: ${hintAt(answer, url, key)}${by}`);
}

function whyNone(reason: string, url: string): string {
  if (reason === CONNECTION_REFUSED) return `${reason}: nothing listens there; is the service started?`;
  // A service that speaks TLS alone cuts what does not.
  return reason.startsWith(CONNECTION_BROKE) && url.startsWith('http://')
    ? `${reason}: does it speak TLS at this port, so that the base URL begins with https://?`
    : reason;
}

/** What an answer that is no list of models says, and the way out. */
function hintAt({ status, headers }: Answer, url: string, key: string): string {
  if (status >= 300 && status < 400) return `it redirects ${redirect(headers['location'], url)}`;
  // What stands in front of a service refuses in its own words: it knows nothing of error objects.
  if (status === 401 || status === 403)
    return `either the key in ${key} is wrong, or a gateway in front of the service needs a login or a header (--header NAME:VALUE)`;
  if (status === 404) return 'nothing at this path: check the part before /v1 in the base URL';
  if (status === 429) return 'its rate limit refuses every request';
  if (status === 500) return 'the service, or a gateway in front of it, failed: its log says why';
  if (status === 502 || status === 503 || status === 504)
    return 'the service behind the gateway is down or still starting';
  return 'this is not a list of models: is this the base URL of the service?';
}

/** Its query may hold a secret. */
function redirect(location: string | undefined, url: string): string {
  const to = location === undefined ? null : URL.parse(location, url);
  if (to === null) return 'without saying where to';
  if (!/^https?:$/.test(to.protocol)) return 'to an address that is not http';
  const base = /^(.*\/v1)\/models\/?$/.exec(to.pathname)?.[1];
  const place = `to ${to.origin}${to.pathname}`;
  if (base === undefined) return `${place}: is that a login, or another service?`;
  return `${place}: pass --base-url ${shellWord(to.origin + base)}`;
}

/** Whether an answer is a page, where JSON should be, and its line if so. */
export function pageProblem(answer: Answer, url: string): string | undefined {
  const isPage =
    /html/i.test(answer.headers['content-type'] ?? '') || /^\s*<(?:!doctype|html)/i.test(beginning(answer));
  if (!isPage || saysJson(answer)) return undefined;
  return `${url} answered ${answer.status} with an HTML page instead of JSON${said(answer)}: is the base URL a web page, or is there a login in front of the service?`;
}

function saysJson(answer: Answer): boolean {
  return readJson(answer).kind === 'json';
}

function beginning({ body }: Answer): string {
  return Buffer.from(body.subarray(0, 4000)).toString('latin1');
}

/** Who says that an answer is from it, the title of its page, how long it asks to wait, and the login that it wants. */
function said(answer: Answer): string {
  const { server, 'www-authenticate': login, [HEADERS.retryAfter]: wait } = answer.headers;
  const title = /<title>\s*([^<]{1,80})/i.exec(beginning(answer))?.[1]?.trim();
  const words = [
    server,
    title && `"${title}"`,
    login && `login: ${login.split(' ', 1).join()}`,
    wait && `try again after ${wait}`,
  ].flatMap((word) => (word ? printable(word.replaceAll(/[^\u0020-\u007e]+/g, ' '), 90) : []));
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}
