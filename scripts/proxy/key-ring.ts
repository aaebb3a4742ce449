import { HEADERS } from '../../fixtures/chats/wire.ts';
import { carriedSecrets, namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import { type Redactor, redactorOf } from '../../suites/engine/text/redact.ts';
import { headerIn, headerRecord } from './relay.ts';
import type { RawHeaders, RelayedRequest } from './relayed-exchange.ts';

/** What stands for a secret under its own name. */
export const WITHHELD = '[withheld]';

/** So many keys, and so many other secrets of a request, are looked for: the search for more would hold up the proxy. */
const MOST_KEYS = 32;

/** Shorter values occur in texts by chance. */
const SHORTEST = 8;

/** Longer keys are not looked for: that would hold up the proxy too. */
const LONGEST = 4096;

/** Where other interfaces expect the key. */
const KEY_HEADERS: readonly string[] = [HEADERS.authorization, 'x-api-key', 'api-key'];

/** Learns the keys of the requests that pass, and takes them out of everything that is recorded. */
export class KeyRing {
  /** The name of each in reports. */
  readonly #names = new Map<string, string>();
  #redactor = redactorFor([]);

  get redactor(): Redactor {
    return this.#redactor;
  }

  /** Whether every key of the request can be found again: what holds another one must not be recorded. */
  learn(raw: RawHeaders): boolean {
    const keys = KEY_HEADERS.flatMap((name) => headerIn(raw, name) ?? []).map(withoutScheme);
    const fresh = keys.filter((key) => key.length >= SHORTEST && !this.#names.has(key));
    if (fresh.some((key) => key.length > LONGEST) || this.#names.size + fresh.length > MOST_KEYS)
      return false;
    for (const key of fresh)
      this.#names.set(key, this.#names.size === 0 ? 'primary' : `key${this.#names.size + 1}`);
    if (fresh.length > 0) this.#redactor = redactorFor(this.#named());
    return true;
  }

  /** The name of the key in the Authorization header; undefined without one. */
  nameOf(raw: RawHeaders): string | undefined {
    const header = headerIn(raw, HEADERS.authorization);
    return header === undefined ? undefined : (this.#names.get(withoutScheme(header)) ?? 'another');
  }

  /** For one exchange: an answer may repeat whatever secret its request carried. */
  redactorFor({ url, rawHeaders, body }: RelayedRequest): Redactor {
    const carried = carriedSecrets({ url, headers: rawHeaders, body: body.read().body });
    const others = carried.filter((secret) => secret.length <= LONGEST && !this.#names.has(secret));
    if (others.length === 0) return this.#redactor;
    const named = others.slice(0, MOST_KEYS).map((secret, i) => [`carried ${i + 1}`, secret] as const);
    return redactorFor([...this.#named(), ...named]);
  }

  #named(): readonly (readonly [name: string, secret: string])[] {
    return [...this.#names].map(([key, name]) => [name, key]);
  }
}

function redactorFor(secrets: readonly (readonly [name: string, secret: string])[]): Redactor {
  return redactorOf({ keys: { primary: '', ...Object.fromEntries(secrets) }, headers: {} });
}

/** The headers of a request as they may be shown, by their names in lower case, without Authorization. */
export function shownHeaders(raw: RawHeaders, redactor: Redactor): Record<string, string> {
  const shown = namedValues(raw).flatMap(([given, value]): RawHeaders => {
    const name = given.toLowerCase();
    if (name === HEADERS.authorization) return [];
    return [name, isSecretName(name) ? WITHHELD : redactor.text(value)];
  });
  return headerRecord(shown);
}

/** A path with its query as it may be shown. */
export function shownAddress(url: string, redactor: Redactor): string {
  return redactor.text(replaceSecretParameters(url, () => WITHHELD));
}

function withoutScheme(value: string): string {
  return value.replace(/^(?:Bearer|Basic|Token)\s+/i, '').trim();
}
