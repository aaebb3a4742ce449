import { type Answer, type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, endpointOf, isSuccess } from '../engine/reading/answers.ts';
import { describeAnswer, wasRefused } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { readJson } from '../engine/reading/json.ts';

/** What proxies, balancers and firewalls refuse by themselves: access, sizes, times and rates. */
const FRONT_STATUSES: ReadonlySet<number> = new Set([403, 408, 413, 414, 429, 431]);

/** So many answers of the service show what its headers look like. */
const ENOUGH = 3;

/** Headers that any server may send or leave out. */
const GENERIC: ReadonlySet<string> = new Set([
  'server',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-type',
  'content-length',
  'content-encoding',
  'cache-control',
  'vary',
  'retry-after',
]);

/** Whether a page came from a front, and not from the service that gave all these answers. */
export function isOfFront(page: Answer, own: readonly Answer[]): boolean {
  if (own.length < ENOUGH) return false;
  const { server } = page.headers;
  if (own.every(({ headers }) => headers['server'] !== server)) return true;
  const lacks = (name: string): boolean => page.headers[name] === undefined;
  const always = Object.keys(own[0]?.headers ?? {}).filter((name) =>
    own.every(({ headers }) => headers[name] !== undefined),
  );
  if (always.includes('date') && lacks('date')) return true;
  const special = always.filter((name) => !GENERIC.has(name));
  return server !== undefined && (namesItself(server, page) || (special.length > 0 && special.every(lacks)));
}

/** Whether a refusal may be the page of a front, by its status and its whole body alone. */
export function isPageOfFront(answer: Answer): boolean {
  return FRONT_STATUSES.has(answer.status) && !isCutShort(answer) && readJson(answer).kind === 'no-json';
}

/** Judges that a refusal holds an error object. ERR-1 judges its items, and a page that may be a front's. */
export function holdsErrorObject(exchange: Exchange, info: TargetInfo): Ruling {
  const answer = answerOf(exchange);
  if (readError(answer, info) !== undefined) return HOLDS;
  const received = describeAnswer(exchange, info);
  return isPageOfFront(answer)
    ? inconclusive(`a page that may be a front's, see ERR-1: ${received}`)
    : violated('no-error-object', 'an error object', `${received} without a JSON error object`);
}

/** Whether only the service can have given an answer. */
export function isOfService(exchange: Exchange, info: TargetInfo): boolean {
  const answer = answerOf(exchange);
  if (endpointOf(exchange.request) === undefined) return false;
  return isSuccess(answer) || (wasRefused(exchange, info) && readError(answer, info) !== undefined);
}

/** Pages of fronts end in the name of their product. */
function namesItself(server: string, { body }: Answer): boolean {
  const [product = ''] = server.toLowerCase().split(/[/ ]/);
  return product !== '' && Buffer.from(body).toString('latin1').toLowerCase().includes(product);
}
