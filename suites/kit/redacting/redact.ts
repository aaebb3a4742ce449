import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { COMMON_WORDS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Answer, Outcome, SentRequest, WholeBody } from '../model/exchange.ts';
import { asError, type Ruling } from '../model/ruling.ts';
import type { Target } from '../model/run.ts';
import { readability } from './compressed.ts';
import { type SecretFinder, secretFinder, SHORTEST_FORM } from './find-secret.ts';
import { Markers } from './markers.ts';
import { redactDeeply } from './redact-value.ts';
import { secretsOf } from './secrets.ts';
import { unescapeLayers } from './unescape-layers.ts';

/** Takes every key out of bytes or text, in each encoding in which an answer might echo it. */
export interface Redactor {
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  readonly text: (text: string) => string;
  /** Other work goes on meanwhile, however large the answer is. */
  readonly outcome: (outcome: Outcome) => Promise<Outcome>;
  /** Only whole keys, in a text that is ours or the user's: words that it shares with a key stay. */
  readonly whole: (text: string) => string;
  /** Only whole keys, in every string of a JSON value. */
  readonly value: <V>(value: V) => V;
  /** Only whole keys: a judgement may join parts of an answer to a key, and an error may quote a key. */
  readonly ruling: (ruling: Ruling | Error) => Ruling | Error;
  /** Only whole keys, in a request that the code of a user made. */
  readonly request: (request: SentRequest) => SentRequest;
}

/** What the redactor of a target has to know of it. */
type Redacted = Pick<Target, 'keys' | 'headers' | 'network'> & { readonly baseUrl?: string };

/** Redacts the keys of a target, its headers that hold secrets, and the token of its control URL. */
export function redactorOf(target: Redacted, controlToken?: string): Redactor {
  const secrets = secretsOf(target, controlToken);
  const known = [
    target.baseUrl ?? '',
    ...Object.keys(target.headers),
    ...Object.values(HEADERS),
    ...COMMON_WORDS,
  ];
  const search = new Search(secrets, known);
  const bytes = (value: Uint8Array): Uint8Array => search.redacted(value, 'all');
  const textOf = (value: string, what: What): string => {
    const whole = Buffer.from(value);
    const redacted = search.redacted(whole, what);
    return redacted === whole ? value : Buffer.from(redacted).toString();
  };
  const text = (value: string): string => textOf(value, 'all');
  const whole = (value: string): string => textOf(value, 'whole');
  const value = <V>(foreign: V): V => redactDeeply(foreign, whole);
  const headerText = rememberHarmless(text);
  return {
    bytes,
    text,
    whole,
    value,
    outcome: (outcome) => redactOutcome(outcome, search, headerText),
    ruling: (ruling) => readably(() => redactRuling(ruling, { whole, value })),
    request: ({ body, ...request }) => ({
      ...request,
      path: whole(request.path),
      headers: value(request.headers),
      body: body && search.redacted(body, 'whole'),
    }),
  };
}

const MOST_HARMLESS = 1024;
const LONGEST_HARMLESS = 128;

/** Most names and values of headers come again with every answer: they are searched once. */
function rememberHarmless(redact: Redactor['text']): Redactor['text'] {
  const harmless = new Set<string>();
  return (text) => {
    if (harmless.has(text)) return text;
    const redacted = redact(text);
    if (redacted === text && text.length <= LONGEST_HARMLESS && harmless.size < MOST_HARMLESS)
      harmless.add(text);
    return redacted;
  };
}

/** A judgement may come from anywhere, and so may what it returns. */
function readably(read: () => Ruling | Error): Ruling | Error {
  try {
    return read();
  } catch (error) {
    return asError(error);
  }
}

/** IDs in it are words of ours. */
function redactRuling(
  ruling: Ruling | Error,
  { whole, value }: Pick<Redactor, 'whole' | 'value'>,
): Ruling | Error {
  if (ruling instanceof Error) {
    ruling.message = whole(ruling.message);
    if (ruling.stack !== undefined) ruling.stack = whole(ruling.stack);
    return ruling;
  }
  switch (ruling.kind) {
    case 'holds':
      return ruling;
    case 'violated': {
      const { expected, actual, ...place } = ruling.finding;
      return { ...ruling, finding: { ...place, expected: whole(expected), actual: whole(actual) } };
    }
    case 'observed': {
      const observations = ruling.observations.map((each) => ({ ...each, value: value(each.value) }));
      return { ...ruling, observations };
    }
    case 'not-exercised': {
      const { reason, hint } = ruling;
      return { ...ruling, reason: whole(reason), ...(hint !== undefined && { hint: whole(hint) }) };
    }
    case 'inconclusive':
      return { ...ruling, reason: whole(ruling.reason) };
  }
}

/** `whole`: only what is a key from its first letter to its last, in some spelling. */
type What = 'all' | 'whole';

/** So many bytes are searched at a time, and other work goes on before the next: some milliseconds. */
const AT_A_TIME = 128 * 1024;

/** What is searched of the bytes that follow: a spelling is found whole where it is no longer. */
const OVERLAP = 8 * 1024;

/** The search for some secrets, made ready when it is first needed. */
class Search {
  readonly #names: readonly string[];
  readonly #ready: () => SecretFinder;
  #finder: SecretFinder | undefined;

  constructor(secrets: Readonly<Record<string, string>>, known: readonly string[]) {
    this.#names = Object.keys(secrets);
    this.#ready = () => secretFinder(Object.values(secrets), known);
  }

  /** The same bytes where they hold nothing of a secret. */
  redacted(bytes: Uint8Array, what: What): Uint8Array {
    const markers = new Markers(bytes, this.#names);
    for (const _ of this.#parts(bytes, markers, what));
    return markers.written();
  }

  /** Likewise; other work goes on meanwhile. */
  async redactedInTurns(bytes: Uint8Array): Promise<Uint8Array> {
    const markers = new Markers(bytes, this.#names);
    const parts = this.#parts(bytes, markers, 'all');
    while (parts.next().done !== true) if (bytes.length > AT_A_TIME) await nextTurn();
    return markers.written();
  }

  /** Searches part after part of some bytes. */
  *#parts(bytes: Uint8Array, markers: Markers, what: What): Generator<void> {
    if (this.#names.length === 0 || bytes.length < SHORTEST_FORM) return;
    const find = (this.#finder ??= this.#ready());
    for (let from = 0; from < bytes.length; from += AT_A_TIME) {
      for (const view of unescapeLayers(bytes.subarray(from, from + AT_A_TIME + OVERLAP)))
        find(view.bytes, view.length, (name, start, end, kind) => {
          if (what === 'all' || kind !== 'part')
            markers.add(name, from + view.start(start), from + view.end(end), kind === 'whole');
        });
      yield;
    }
  }
}

async function redactOutcome(whole: Outcome, search: Search, text: Redactor['text']): Promise<Outcome> {
  if (whole.kind === 'not-sent') return { ...whole, reason: withoutKeysOfCertificate(whole.reason, text) };
  if (whole.answer === undefined) return whole;
  const { answer } = whole;
  const headers = redactHeaders(answer.headers, text);
  return { ...whole, answer: { ...answer, ...(await redactBody(answer, search)), headers } };
}

/** All other reasons are words of ours, which decide what is done next. */
function withoutKeysOfCertificate(reason: string, text: Redactor['text']): string {
  return reason.startsWith('TLS: ') ? text(reason) : reason;
}

function redactHeaders(headers: Answer['headers'], text: Redactor['text']): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [text(name), text(value)]));
}

/** Replace a whole body. */
const HOLDS_KEY = Buffer.from('[a compressed body that holds a key]');
const UNREADABLE = Buffer.from('[a body that looks compressed or encrypted, and cannot be read through]');

async function redactBody(answer: Answer, search: Search): Promise<Pick<Answer, 'body' | 'whole'>> {
  const { headers, body, decoded } = answer;
  // Text that is decoded already may look like Brotli.
  const read = await readability(body, decoded ? undefined : headers['content-encoding']);
  if (read.kind === 'unreadable') return { body: UNREADABLE, whole: withheld(answer) };
  for (const plain of read.kind === 'compressed' ? read.plain : [])
    if ((await search.redactedInTurns(plain)) !== plain) return { body: HOLDS_KEY, whole: withheld(answer) };
  return { body: await search.redactedInTurns(body) };
}

function withheld({ body, whole }: Answer): WholeBody {
  const sha256 = (): string => hash('sha256', body, 'hex');
  return { bytes: whole?.bytes ?? body.length, sha256: whole?.sha256 ?? sha256(), isWithheld: true };
}
