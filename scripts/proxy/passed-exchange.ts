import { hash } from 'node:crypto';
import { HEADERS } from '../../fixtures/chats/chat.ts';
import { carriedSecrets } from '../../fixtures/credentials/carried-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import { keyPlaces } from '../../suites/caller/chats.ts';
import type { PassedFacts } from '../../suites/engine/model/entry-schema.ts';
import { type Answer, type Exchange, type Outcome, PRIMARY } from '../../suites/engine/model/exchange.ts';
import type { TargetInfo } from '../../suites/engine/model/target.ts';
import { isEventStream } from '../../suites/engine/reading/errors/disposition.ts';
import { readResult } from '../../suites/engine/reading/streams/read-stream.ts';
import { certainIfSaid, decodedOutcome } from '../../suites/engine/sending/target-connection.ts';
import { type Redactor, redactorOf } from '../../suites/engine/text/redact.ts';
import { MOST_KEPT, type RelayedExchange, type RelayedRequest } from './relay.ts';

/** An exchange that passed, as the judgements see it, and as a journal holds it. No key is in it. */
export interface PassedExchange {
  readonly exchange: Exchange;
  readonly facts: PassedFacts;
}

/** What stands for a secret under its own name. */
const WITHHELD = '[withheld]';

/** Shorter values occur in texts by chance. */
const SHORTEST = 8;

/** Where a request has its key; other interfaces expect it in the last two. */
const KEY_HEADERS: readonly string[] = [HEADERS.authorization, 'x-api-key', 'api-key'];

/** Learns the keys of the requests that pass, and takes them out of everything that is recorded. */
export class KeyRing {
  /** The name of each in reports. */
  readonly #names = new Map<string, string>();
  redactor = this.#redactorWith([]);

  learn(headers: Headers): void {
    const keys = KEY_HEADERS.map((name) => withoutScheme(headers.get(name)));
    for (const key of keys) {
      if (key.length < SHORTEST || this.#names.has(key)) continue;
      this.#names.set(key, this.#names.size === 0 ? 'primary' : `key${this.#names.size + 1}`);
      this.redactor = this.#redactorWith([]);
    }
  }

  /** The name of the key in the Authorization header; undefined without one. */
  nameOf(headers: Headers): string | undefined {
    const header = headers.get(HEADERS.authorization);
    return header === null ? undefined : (this.#names.get(withoutScheme(header)) ?? 'another');
  }

  /** For one exchange: an answer may repeat whatever secret its request carried. */
  redactorFor({ url, headers, body }: RelayedRequest): Redactor {
    const carried = carriedSecrets({ url, headers: [...headers].flat(), body: body.read().body });
    const others = carried.filter((secret) => !this.#names.has(secret));
    return others.length === 0 ? this.redactor : this.#redactorWith(others);
  }

  #redactorWith(carried: readonly string[]): Redactor {
    const keys = Object.fromEntries([
      ...[...this.#names].map(([key, name]) => [name, key]),
      ...carried.map((secret, index) => [`carried ${index + 1}`, secret]),
    ]);
    return redactorOf({ keys: { primary: '', ...keys }, headers: {} });
  }
}

function withoutScheme(value: string | null): string {
  return (value ?? '').replace(/^(?:Bearer|Basic|Token)\s+/i, '').trim();
}

/** What a proxy knows when an exchange has ended. */
export interface Known {
  /** Of the target's base URL. */
  readonly basePath: string;
  readonly ring: KeyRing;
  /** When the proxy began. */
  readonly since: number;
  /** Of the target. */
  readonly info: TargetInfo;
}

export async function passedExchangeOf(
  relayed: RelayedExchange,
  { basePath, ring, since, info }: Known,
): Promise<PassedExchange> {
  const { n, url, arrivedAt, endedAt, headers, body } = relayed;
  ring.learn(headers);
  const caller = ring.nameOf(headers);
  const redactor = ring.redactorFor(relayed);
  const others = [...headers].filter(([name]) => name !== HEADERS.authorization);
  const sent = { url, body: Buffer.from(body.read().body).toString(), headers: others };
  return {
    exchange: {
      // In the order of arrival.
      id: `passing/${String(n).padStart(9, '0')}`,
      request: requestOf(relayed, basePath, redactor),
      outcome: await shownOutcome(relayed.outcome, redactor, info),
    },
    facts: {
      ...(caller !== undefined && { caller }),
      keyIn: [...keyPlaces(sent, (text) => ring.redactor.text(text) !== text)],
      arrivedAt: arrivedAt - since,
      endedAt: endedAt - since,
    },
  };
}

const COMPRESSED = Buffer.from('[a compressed body]');

/** The request without any key. */
export function requestOf(
  { method, url, headers, body }: RelayedRequest,
  basePath: string,
  redactor: Redactor,
): Exchange['request'] {
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity';
  const { [HEADERS.authorization]: authorization, ...others } = Object.fromEntries(headers);
  const shown = Object.entries(others).map(([name, value]) => [
    name,
    isSecretName(name) ? WITHHELD : redactor.text(value),
  ]);
  return {
    method,
    path: redactor.text(replaceSecretParameters(belowBase(url, basePath), () => WITHHELD)),
    headers: Object.fromEntries(shown),
    credential: authorization === undefined ? { kind: 'none' } : PRIMARY,
    body: body.size === 0 ? undefined : isPlain ? redactor.bytes(body.read().body) : COMPRESSED,
  };
}

/** A path that does not begin with that of the base URL climbs out of it: `/../responses`. */
export function belowBase(url: string, basePath: string): string {
  if (url === basePath || url.startsWith(`${basePath}/`) || url.startsWith(`${basePath}?`))
    return url.slice(basePath.length);
  return '/..'.repeat(basePath.split('/').length - 1) + url;
}

async function shownOutcome(outcome: Outcome, redactor: Redactor, info: TargetInfo): Promise<Outcome> {
  // The caller asked for the coding, and reads what is in it: so do the judgements.
  const plain = certainIfSaid(await decodedOutcome(outcome, { keepBytes: MOST_KEPT }), {});
  const shown = await redactor.outcome(plain);
  if (shown.kind === 'not-sent' || shown.answer === undefined) return shown;
  const { answer } = shown;
  // A cookie is a secret, as a key is.
  const cookie = answer.headers['set-cookie'] !== undefined && { 'set-cookie': WITHHELD };
  const told = cookie ? { ...answer, headers: { ...answer.headers, ...cookie } } : answer;
  return { ...shown, answer: joinsToKey(told, redactor, info) ? withoutBody(told) : told };
}

/** A key may stand in several pieces of a stream: a judgement, and whoever reads the journal, joins them. */
function joinsToKey(answer: Answer, redactor: Redactor, info: TargetInfo): boolean {
  if (!isEventStream(answer)) return false;
  return readResult(answer, info).texts.some((text) => redactor.text(text) !== text);
}

function withoutBody(answer: Answer): Answer {
  const whole = answer.whole ?? { bytes: answer.body.length, sha256: hash('sha256', answer.body, 'hex') };
  return { ...answer, body: new Uint8Array(), pieces: [], whole };
}
