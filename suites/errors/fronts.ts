import { type Answer, type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, endpointOf, isSuccess } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
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

/** Tells a page of a front from a refusal of the service behind it, by the headers of both. */
export class Fronts {
  readonly #info: TargetInfo;
  readonly #servers = new Set<string | undefined>();
  /** The names that every answer of the service has; undefined before the first one. */
  #own: ReadonlySet<string> | undefined;
  #alwaysDated = true;
  #seen = 0;

  constructor(info: TargetInfo) {
    this.#info = info;
  }

  /** Learns from every answer that only the service can have given. */
  note(exchange: Exchange): void {
    if (exchange.outcome.kind !== 'answered' || !isOfService(exchange, this.#info)) return;
    const { headers } = exchange.outcome.answer;
    const names = Object.keys(headers).filter((name) => !GENERIC.has(name) && this.#own?.has(name) !== false);
    this.#servers.add(headers['server']);
    this.#own = new Set(names);
    this.#alwaysDated &&= headers['date'] !== undefined;
    this.#seen += 1;
  }

  /** Whether a refusal without an error object came from a front; certain only where the service was seen often enough. */
  answered(exchange: Exchange): boolean {
    const answer = answerOf(exchange);
    if (this.#seen < ENOUGH || !isPageOfFront(answer)) return false;
    const { server, date } = answer.headers;
    if (!this.#servers.has(server)) return true;
    if (this.#alwaysDated && date === undefined) return true;
    return server !== undefined && (namesItself(server, answer) || this.#lacksOwn(answer));
  }

  #lacksOwn({ headers }: Answer): boolean {
    const own = this.#own ?? new Set<string>();
    return own.size > 0 && [...own].every((name) => headers[name] === undefined);
  }
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

function isOfService(exchange: Exchange, info: TargetInfo): boolean {
  if (endpointOf(exchange.request) === undefined) return false;
  const answer = answerOf(exchange);
  return (
    isSuccess(answer) ||
    (dispositionOf(exchange, info) === 'refused' && readError(answer, info) !== undefined)
  );
}

/** Pages of fronts end in the name of their product. */
function namesItself(server: string, { body }: Answer): boolean {
  const [product = ''] = server.toLowerCase().split(/[/ ]/);
  return product !== '' && Buffer.from(body).toString('latin1').toLowerCase().includes(product);
}
