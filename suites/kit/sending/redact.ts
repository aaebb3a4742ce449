import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';
import type { Answer, Outcome } from '../model/exchange.ts';
import type { Target } from '../model/run.ts';
import { type SecretFinder, secretFinder, type SecretMatch, secretForms } from './find-secret.ts';
import { hasEscape, unescapeLayers } from './unescape-layers.ts';

/** Takes every key out of bytes or text, in each encoding in which an answer might echo it. */
export interface Redactor {
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly text: (text: string) => string;
  readonly outcome: (outcome: Outcome) => Outcome;
  /** Every text in a value of objects and lists, names of members included. */
  readonly value: <V>(value: V) => V;
}

interface Secret {
  readonly name: string;
  readonly forms: readonly SecretFinder[];
}

interface NamedMatch extends SecretMatch {
  readonly name: string;
}

/** Makes the redactor of a target's keys, of its headers that hold secrets, and of the token of its control URL. */
export function redactorOf(
  { keys, headers }: Pick<Target, 'keys' | 'headers'>,
  controlToken?: string,
): Redactor {
  const all = { ...keys, control: controlToken, ...secretHeaders(headers) };
  const secrets = Object.entries(all).flatMap(([name, secret]): Secret[] =>
    secret === undefined || secret === '' ? [] : [{ name, forms: secretForms(secret).map(secretFinder) }],
  );
  const mayHold = suspicionOf(secrets);
  const text = (value: string): string =>
    mayHold(value) ? withoutTraces(value, tracesIn(value, secrets)) : value;
  const bytes = (value: Uint8Array): Uint8Array => {
    // latin1 keeps every byte as it is, so that only the keys change.
    const whole = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const redacted = text(whole);
    return redacted === whole ? value : Buffer.from(redacted, 'latin1');
  };
  const outcome = (whole: Outcome): Outcome => outcomeWithout(whole, text, bytes, mayHold);
  return { bytes, text, outcome, value: (value) => deeply(value, text) };
}

/** Nearly every answer holds no secret, and one look at it tells. */
function suspicionOf(secrets: readonly Secret[]): (text: string) => boolean {
  const anchors = new Set(secrets.flatMap(({ forms }) => forms.flatMap((form) => form.anchors)));
  if (anchors.size === 0) return () => false;
  const literal = [...anchors].map((anchor) => anchor.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const anyAnchor = new RegExp(literal.join('|'));
  return (text) => hasEscape(text) || anyAnchor.test(lowerCase(text));
}

function tracesIn(text: string, secrets: readonly Secret[]): readonly NamedMatch[] {
  return [{ text, origin: whereItIs }, ...unescapeLayers(text)].flatMap((plain) => {
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

const whereItIs = (from: number, to: number): readonly [number, number] => [from, to];

/** Character for character: a letter whose lower case is two would move all that follows. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** What stands where a key stood: `[key:primary]`, or `[part of key:primary]` for what does not open anything. */
function markerOf({ name, isWhole }: NamedMatch): string {
  return isWhole ? `[key:${name}]` : `[part of key:${name}]`;
}

/** The text with a marker for every trace; of traces that overlap the first and longest has the say. */
function withoutTraces(text: string, traces: readonly NamedMatch[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const trace of traces.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.isWhole) - Number(a.isWhole),
  )) {
    if (trace.from >= at) pieces.push(text.slice(at, trace.from), markerOf(trace));
    at = Math.max(at, trace.to);
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at);
}

function outcomeWithout(
  whole: Outcome,
  text: Redactor['text'],
  bytes: Redactor['bytes'],
  mayHold: (text: string) => boolean,
): Outcome {
  if (whole.kind === 'not-sent' || whole.answer === undefined) return whole;
  const { answer } = whole;
  const body = bodyWithout(answer, bytes);
  // One look at all of them together; what stands between them is no part of any key or escape.
  const isClear = !mayHold(Object.entries(answer.headers).flat().join('\u0001'));
  if (isClear && body === answer.body) return whole;
  return { ...whole, answer: { ...answer, headers: headersWithout(answer.headers, text), body } };
}

function headersWithout(headers: Answer['headers'], text: Redactor['text']): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [text(name), text(value)]));
}

/** What is compressed cannot be read through: where it holds a key, none of it is kept. */
const WITHHELD = Buffer.from('[a compressed body that holds a key]');

function bodyWithout(answer: Answer, bytes: Redactor['bytes']): Uint8Array {
  const plain = decodeBody(answer);
  return plain !== undefined && bytes(plain) !== plain ? WITHHELD : bytes(answer.body);
}

function deeply<V>(value: V, text: Redactor['text']): V;
function deeply(value: unknown, text: Redactor['text']): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => deeply(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), deeply(item, text)]));
}

/** Names under which secrets are usually sent; the values of other headers stand in answers for reasons of their own. */
const TELLING_NAME = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** Too short to be told from other words. */
const SHORTEST = 8;

/** The headers of a target, sent with every request, whose values nobody should see; by what reports call them. */
export function secretHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const secret = Object.entries(headers).filter(
    ([name, value]) => TELLING_NAME.test(name) && value.length >= SHORTEST,
  );
  return Object.fromEntries(secret.map(([name, value]) => [`header ${name}`, value]));
}

const MOST_BYTES = 32 * 1024 * 1024;

const DECODERS: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Buffer>> =
  {
    gzip: unzipSync,
    'x-gzip': unzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  };

/** The body under its content coding; undefined where it has none, or one that cannot be undone. */
export function decodeBody({ headers, body }: Answer): Buffer | undefined {
  const decode = DECODERS[(headers['content-encoding'] ?? '').trim().toLowerCase()];
  try {
    return decode?.(body, { maxOutputLength: MOST_BYTES });
  } catch {
    return undefined;
  }
}
