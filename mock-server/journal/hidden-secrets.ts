import { redactText, type Secrets } from '../../fixtures/credentials/redact-secrets.ts';
import {
  isSecretName,
  percentDecoded,
  replaceSecretParameters,
} from '../../fixtures/credentials/secret-names.ts';

/** What stands in the place of a secret. */
export const HIDDEN = '(a key)';

/** The keys of a world, and whatever secret the request itself carries. */
export function hiddenSecrets(keys: readonly string[], request: Carrier | null): Secrets {
  const all = request === null ? keys : [...keys, ...carriedSecrets(request)];
  return new Map(all.map((secret) => [secret, HIDDEN]));
}

const LONGEST_WORD = 256;

/** A word of the caller, such as a path: without secrets, and cut to 256 code units. */
export function shownWord(text: string, secrets: Secrets): string {
  return redactText(text, secrets).slice(0, LONGEST_WORD).toWellFormed();
}

/** Shorter words are no credentials, and would be found everywhere. */
const SHORTEST = 8;

type NamedValue = readonly [name: string, value: string];

interface Carrier {
  /** Mere bytes have none. */
  readonly url: string;
  readonly body: string | Buffer | null;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** The secrets of a request in its headers and its address. What came as mere bytes is read line by line for them. */
function carriedSecrets({ url, headers, body }: Carrier): readonly string[] {
  const text = url === '' ? (body?.toString('latin1') ?? '') : '';
  const named = [...namedValues(headers), ...valuesInLines(text)];
  const values = named.filter(([name]) => isSecretName(name)).flatMap(([, value]) => value.split(/[\s,;]+/));
  const all = [...values, ...parametersOf(url), ...parametersOf(text)];
  return all.filter(({ length }) => length >= SHORTEST);
}

/** Names and values in turn, as pairs. */
export function namedValues(raw: readonly string[]): readonly NamedValue[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}

/** Each line that begins with a word, whatever stands between it and the rest. A line that is indented goes on. */
function valuesInLines(text: string): readonly NamedValue[] {
  return text.split(/[\r\n]+(?![ \t\r\n])/).flatMap((line) => {
    const [, name, value] = /^[^\w-]*([\w-]+)[^\w-](.*)$/s.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

function parametersOf(text: string): readonly string[] {
  const found: string[] = [];
  replaceSecretParameters(text, (value) => {
    found.push(value, percentDecoded(value));
    return '';
  });
  return found;
}
