import { HEADERS } from '../../fixtures/chats/wire.ts';
import { carriedSecrets, namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import { type Redactor, redactorOf } from '../../suites/kit/redacting/redact.ts';
import { headerIn, type RawHeaders } from './hop-by-hop.ts';
import type { RelayedExchange } from './relayed-exchange.ts';

/** What stands for a secret under its own name. */
export const WITHHELD = '[withheld]';

/** So many keys are learned, and so many other secrets of a request; the search for more would hold up the proxy. */
const MOST_KEYS = 32;

/** Shorter values occur in texts by chance. */
const SHORTEST = 8;

/** Longer keys are not learned, for the same reason. */
const LONGEST = 4096;

/** Where other interfaces expect the key. */
const OTHER_PLACES: readonly string[] = ['x-api-key', 'api-key'];

/** Learns the keys of the requests that pass, and takes them out of everything that is recorded. */
export class KeyRing {
  /** The name of each in reports. */
  readonly #names = new Map<string, string>();
  readonly #controlToken: string | undefined;
  #redactor: Redactor;

  constructor(controlToken?: string) {
    this.#controlToken = controlToken;
    this.#redactor = this.#made();
  }

  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Whether every key of the request can be found again: what holds another one must not be recorded. */
  learn(raw: RawHeaders): boolean {
    const found = [HEADERS.authorization, ...OTHER_PLACES].flatMap((name) => headerIn(raw, name) ?? []);
    const fresh = found.map(withoutScheme).filter((key) => key.length >= SHORTEST && !this.#names.has(key));
    const isTooLong = fresh.some((key) => key.length > LONGEST);
    if (isTooLong || this.#names.size + fresh.length > MOST_KEYS) return false;
    for (const key of fresh)
      this.#names.set(key, this.#names.size === 0 ? 'primary' : `key${this.#names.size + 1}`);
    if (fresh.length > 0) this.#redactor = this.#made();
    return true;
  }

  /** The name of the key in the Authorization header; undefined without one. */
  nameOf(raw: RawHeaders): string | undefined {
    const header = headerIn(raw, HEADERS.authorization);
    return header === undefined ? undefined : (this.#names.get(withoutScheme(header)) ?? 'another');
  }

  /** For one exchange: an answer may repeat whatever secret its request carried. */
  redactorFor({ url, rawHeaders, body }: RelayedExchange): Redactor {
    const carried = carriedSecrets({ url, headers: rawHeaders, body: body.read().body });
    const fresh = carried.filter((secret) => secret.length <= LONGEST && !this.#names.has(secret));
    return fresh.length === 0 ? this.#redactor : this.#made(fresh.slice(0, MOST_KEYS));
  }

  #made(carried: readonly string[] = []): Redactor {
    const keys = Object.fromEntries([
      ...[...this.#names].map(([key, name]) => [name, key]),
      ...carried.map((secret, index) => [`carried ${index + 1}`, secret]),
    ]);
    return redactorOf({ keys: { primary: '', ...keys }, headers: {} }, this.#controlToken);
  }
}

/** The headers of a request as they may be shown, by their names in lower case, without Authorization. */
export function shownHeaders(raw: RawHeaders, redactor: Redactor): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of namedValues(raw)) {
    const lower = name.toLowerCase();
    if (lower === HEADERS.authorization) continue;
    const text = isSecretName(lower) ? WITHHELD : redactor.text(value);
    shown[lower] = shown[lower] === undefined ? text : `${shown[lower]}, ${text}`;
  }
  return shown;
}

/** Likewise a path with its query. */
export function shownAddress(url: string, redactor: Redactor): string {
  return redactor.text(replaceSecretParameters(url, () => WITHHELD));
}

function withoutScheme(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token)\s+/i, '').trim();
}
