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
import type { ReceivedBody } from '../../suites/engine/sending/received-body.ts';
import { certainIfSaid, decodedOutcome } from '../../suites/engine/sending/target-connection.ts';
import { type Redactor, redactorOf } from '../../suites/engine/text/redact.ts';
import { MOST_KEPT } from './relay.ts';

/** One request on its way through the proxy. It holds keys. */
export interface RelayedRequest {
  /** From 1, in the order of arrival. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  /** In milliseconds since this process began, as `endedAt`. */
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly headers: Headers;
  readonly body: ReceivedBody;
}

/** A request whose answer has ended. It holds keys. */
export interface RelayedExchange extends RelayedRequest {
  readonly outcome: Outcome;
  readonly endedAt: number;
}

/** An exchange that passed, as the judgements see it, and as a journal holds it. No key is in it. */
export interface PassedExchange {
  readonly exchange: Exchange;
  readonly facts: PassedFacts;
}

const EXCHANGE_BYTES = 4096;

/** What an exchange takes in memory, whose request has a body of this many bytes. */
export function bytesOf(sent: number | undefined, { outcome }: Pick<Exchange, 'outcome'>): number {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return EXCHANGE_BYTES + (sent ?? 0) + (answer?.body.length ?? 0);
}

/** What stands for a secret under its own name. */
const WITHHELD = '[withheld]';

/** Shorter values occur in texts by chance. */
const SHORTEST = 8;

/** Where a request has its key; other interfaces expect it in the last two. */
const KEY_HEADERS: readonly string[] = [HEADERS.authorization, 'x-api-key', 'api-key'];

const SCHEME = /^(?:Bearer|Basic|Token)\s+/i;

/** Learns the keys of the requests that pass, and takes them out of everything that is recorded. */
export class KeyRing {
  /** The name of each in reports. */
  readonly #names = new Map<string, string>();
  /** Of the keys alone. */
  redactor = redactorFor([]);

  /** Returns the name of the key in the Authorization header; undefined without one. */
  learn(headers: Headers): string | undefined {
    const [own, ...others] = KEY_HEADERS.map((name) => headers.get(name)?.replace(SCHEME, '').trim());
    for (const key of [own, ...others]) {
      if (key === undefined || key.length < SHORTEST || this.#names.has(key)) continue;
      this.#names.set(key, this.#names.size === 0 ? 'primary' : `key${this.#names.size + 1}`);
      this.redactor = redactorFor([...this.#names]);
    }
    return own === undefined ? undefined : (this.#names.get(own) ?? 'another');
  }

  /** Of the keys, and of other secrets. */
  redactorWith(secrets: readonly string[]): Redactor {
    const unknown = secrets.filter((secret) => !this.#names.has(secret));
    if (unknown.length === 0) return this.redactor;
    const carried = unknown.map((secret, index) => [secret, `carried ${index + 1}`] as const);
    return redactorFor([...this.#names, ...carried]);
  }
}

function redactorFor(named: readonly (readonly [secret: string, name: string])[]): Redactor {
  const keys = Object.fromEntries(named.map(([secret, name]) => [name, secret]));
  return redactorOf({ keys: { primary: '', ...keys }, headers: {} });
}

export async function passedExchangeOf(
  relayed: RelayedExchange,
  { basePath, keys, info }: { readonly basePath: string; readonly keys: KeyRing; readonly info: TargetInfo },
): Promise<PassedExchange> {
  const { n, url, arrivedAt, endedAt, headers } = relayed;
  const caller = keys.learn(headers);
  const { body } = relayed.body.read();
  // An answer may repeat whatever secret its request carried.
  const redactor = keys.redactorWith(carriedSecrets({ url, headers: [...headers].flat(), body }));
  const others = [...headers].filter(([name]) => name !== HEADERS.authorization);
  const sent = { url, body: Buffer.from(body).toString(), headers: others };
  return {
    exchange: {
      // In the order of arrival.
      id: `passing/${String(n).padStart(9, '0')}`,
      request: requestOf(relayed, basePath, redactor),
      outcome: await shownOutcome(relayed.outcome, redactor, info),
    },
    facts: {
      ...(caller !== undefined && { caller }),
      keyIn: [...keyPlaces(sent, (text) => keys.redactor.text(text) !== text)],
      arrivedAt,
      endedAt,
    },
  };
}

const COMPRESSED = Buffer.from('[a compressed body]');

/** The request without any key. */
function requestOf(
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
function belowBase(url: string, basePath: string): string {
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
  const kept = { ...answer, headers: { ...answer.headers, ...cookie } };
  if (!joinsToKey(answer, redactor, info)) return { ...shown, answer: kept };
  const { body, whole = { bytes: body.length, sha256: hash('sha256', body, 'hex') } } = answer;
  return { ...shown, answer: { ...kept, body: new Uint8Array(), pieces: [], whole } };
}

/** A key may stand in several pieces of a stream: a judgement, and whoever reads the journal, joins them. */
function joinsToKey(answer: Answer, redactor: Redactor, info: TargetInfo): boolean {
  if (!isEventStream(answer)) return false;
  return readResult(answer, info).texts.some((text) => redactor.text(text) !== text);
}
