import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';
import type { Answer, Outcome } from '../model/exchange.ts';
import type { Target } from '../model/run.ts';
import { type SecretFinder, secretFinder, secretForms, type SecretMatch } from './find-secret.ts';
import { hasEscape, unescapeLayers } from './unescape-layers.ts';

/** Takes every key out of bytes or text, in each encoding in which an answer might echo it. */
export interface Redactor {
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly text: (text: string) => string;
  readonly outcome: (outcome: Outcome) => Outcome;
  /** Every string in a JSON value, names of members included. */
  readonly value: <V>(value: V) => V;
}

interface Secret {
  readonly name: string;
  readonly forms: readonly SecretFinder[];
}

interface NamedMatch extends SecretMatch {
  readonly name: string;
}

/** Redacts the keys of a target, its headers that hold secrets, and the token of its control URL. */
export function redactorOf(
  { keys, headers }: Pick<Target, 'keys' | 'headers'>,
  controlToken?: string,
): Redactor {
  const all = { ...keys, control: controlToken, ...secretHeaders(headers) };
  const secrets = Object.entries(all).flatMap(([name, secret]): Secret[] =>
    secret === undefined || secret === '' ? [] : [{ name, forms: secretForms(secret).map(secretFinder) }],
  );
  const mayHold = screenFor(secrets);
  const text = (value: string): string =>
    mayHold(value) ? withMarkers(value, matchesIn(value, secrets)) : value;
  const bytes = (value: Uint8Array): Uint8Array => {
    // latin1 keeps every byte as it is, so that only the keys change.
    const whole = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const redacted = text(whole);
    return redacted === whole ? value : Buffer.from(redacted, 'latin1');
  };
  const outcome = (whole: Outcome): Outcome => redactOutcome(whole, text, bytes, mayHold);
  return { bytes, text, outcome, value: (value) => redactDeeply(value, text) };
}

/** A fast test, since nearly every answer holds no secret. */
function screenFor(secrets: readonly Secret[]): (text: string) => boolean {
  const anchors = new Set(secrets.flatMap(({ forms }) => forms.flatMap((form) => form.anchors)));
  if (anchors.size === 0) return () => false;
  const literal = [...anchors].map((anchor) => anchor.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const anyAnchor = new RegExp(literal.join('|'));
  return (text) => hasEscape(text) || anyAnchor.test(lowerCase(text));
}

function matchesIn(text: string, secrets: readonly Secret[]): readonly NamedMatch[] {
  return [{ text, origin: unchanged }, ...unescapeLayers(text)].flatMap((plain) => {
    const lower = lowerCase(plain.text);
    return secrets.flatMap(({ name, forms }) =>
      forms.flatMap((form) =>
        form.find(plain.text, lower).map(({ from, to, isWhole }) => {
          const [first, end] = plain.origin(from, to);
          return { name, from: first, to: end, isWhole };
        }),
      ),
    );
  });
}

const unchanged = (from: number, to: number): readonly [number, number] => [from, to];

/** Of the same length: a letter with a longer lower case would shift all that follows. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `[key:primary]` in place of a key, `[part of key:primary]` in place of a part of one. */
function markerOf({ name, isWhole }: NamedMatch): string {
  return isWhole ? `[key:${name}]` : `[part of key:${name}]`;
}

/** Replaces every match by a marker; of overlapping matches the first, longest one gives it. */
function withMarkers(text: string, matches: readonly NamedMatch[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const match of matches.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.isWhole) - Number(a.isWhole),
  )) {
    if (match.from >= at) pieces.push(text.slice(at, match.from), markerOf(match));
    at = Math.max(at, match.to);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

function redactOutcome(
  whole: Outcome,
  text: Redactor['text'],
  bytes: Redactor['bytes'],
  mayHold: (text: string) => boolean,
): Outcome {
  if (whole.kind === 'not-sent' || whole.answer === undefined) return whole;
  const { answer } = whole;
  const body = redactBody(answer, bytes);
  // All headers at once; the separator is no part of any key or escape.
  const isClear = !mayHold(Object.entries(answer.headers).flat().join('\u0001'));
  if (isClear && body === answer.body) return whole;
  return { ...whole, answer: { ...answer, headers: redactHeaders(answer.headers, text), body } };
}

function redactHeaders(headers: Answer['headers'], text: Redactor['text']): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [text(name), text(value)]));
}

/** Replaces a whole compressed body with a key in it. */
const WITHHELD = Buffer.from('[a compressed body that holds a key]');

function redactBody(answer: Answer, bytes: Redactor['bytes']): Uint8Array {
  const plain = decodeBody(answer);
  return plain !== undefined && bytes(plain) !== plain ? WITHHELD : bytes(answer.body);
}

function redactDeeply<V>(value: V, text: Redactor['text']): V;
function redactDeeply(value: unknown, text: Redactor['text']): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => redactDeeply(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [text(name), redactDeeply(item, text)]),
  );
}

/** Usual names of secrets; answers repeat the values of other headers for their own reasons. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** Shorter values occur in texts by chance. */
const SHORTEST_HEADER = 8;

/** The secret values among the headers of a target, by their names in reports. */
function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST_HEADER,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

const MOST_DECODED_BYTES = 32 * 1024 * 1024;

const DECODERS: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Buffer>> =
  {
    gzip: unzipSync,
    'x-gzip': unzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  };

/** The body without its content coding; undefined when it has none, or an unknown one. */
function decodeBody({ headers, body }: Answer): Buffer | undefined {
  const decode = DECODERS[(headers['content-encoding'] ?? '').trim().toLowerCase()];
  try {
    return decode?.(body, { maxOutputLength: MOST_DECODED_BYTES });
  } catch {
    return undefined;
  }
}
