import { isUtf8 } from 'node:buffer';
import { carriedSecrets, namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { redactBytes, redactText, type Secrets } from '../../fixtures/credentials/redact-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import { textIn } from '../rules/subject.ts';
import type { Arrival, JournalEntry, JournalRecord } from './journal.ts';

/** A request with everything that was recorded of it, without any key. */
export type ShownExchange = ReturnType<typeof showExchange>;

/** An entry with what only the bodies of its request say, without any key: the model that was asked for, even of a refused chat. */
export interface ShownEntry extends JournalEntry {
  /** The beginning of the last user message; null: there is none, or its body is not kept any more. */
  readonly prompt: string | null;
  /** Of the error object that was sent. */
  readonly code: string | null;
}

/** Text if it is UTF-8, or else in base64; null: it was too large to read. */
export type ShownBody = (Readonly<{ text: string } | { base64: string }> & { readonly bytes: number }) | null;

/** What of a request and of an answer is shown alike. */
export interface ShownMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: ShownBody;
}

export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** The header of an answer that hands out a secret: those of other names tell what was refused, and what is left. */
const HANDED_OUT = 'set-cookie';

/** What stands in the place of a secret. */
const HIDDEN = '(a key)';

/** Made again where a world has got more keys: what a search needs of secrets is remembered with them. */
const ofKeys = new WeakMap<readonly NamedKey[], Secrets>();

/** The keys of a world, and whatever secret the request itself carries. */
export function hiddenSecrets(
  keys: readonly NamedKey[],
  arrival: Pick<Arrival, 'url' | 'rawHeaders' | 'body'> | null,
): Secrets {
  const known = ofKeys.get(keys);
  const own = known?.size === keys.length ? known : new Map(keys.map(({ key }) => [key, HIDDEN]));
  ofKeys.set(keys, own);
  const carried = arrival && carriedSecrets({ ...arrival, headers: arrival.rawHeaders });
  const others = (carried ?? []).filter((secret) => !own.has(secret));
  return others.length === 0 ? own : new Map([...own, ...others.map((secret) => [secret, HIDDEN] as const)]);
}

const LONGEST_WORD = 256;

/** A word of the caller, such as a path: without secrets, and cut to 256 code units. */
export function shownWord(text: string, secrets: Secrets): string {
  return redactText(text, secrets).slice(0, LONGEST_WORD).toWellFormed();
}

/** Longer than what is shown of a prompt, so that a secret is found whole. */
const SEARCHED = 4096;

/** Reads the beginning of the prompt and the code of the error, each time that somebody looks at the entry. */
export function showEntry(record: JournalRecord, keys: readonly NamedKey[]): ShownEntry {
  const { entry, arrival, answer } = record;
  const prompt = promptOf(record);
  const isRefused = answer !== null && answer.status >= 400;
  const code = readIn(isRefused ? answer.body : null, ({ error }) => error.code);
  const model = entry.model ?? readIn(arrival?.body, (sent) => sent.model);
  if ((prompt ?? code ?? model) === null) return { ...entry, prompt, code };
  const secrets = hiddenSecrets(keys, arrival);
  const shown = (text: string | null): string | null => text && shownWord(text.slice(0, SEARCHED), secrets);
  return { ...entry, model: shown(model), prompt: shown(prompt), code: shown(code) };
}

/** The text of the last user message; null: there is none, or its body is not kept any more. */
export function promptOf({ arrival }: Pick<JournalRecord, 'arrival'>): string | null {
  return readIn(arrival?.body, (sent) => textIn({ requestId: '', sent }, 'user'));
}

/** A text in a body of JSON; null: the body has none, or is something else. */
function readIn(
  body: Buffer | null | undefined,
  // oxlint-disable-next-line typescript/no-explicit-any -- anything can have been sent, and what does not fit is caught
  read: (json: any) => unknown,
): string | null {
  if (!body || body.length === 0) return null;
  try {
    const text = read(JSON.parse(body.toString()));
    return typeof text === 'string' && text !== '' ? text : null;
  } catch {
    return null;
  }
}

/**
 * Masks the keys of its world, and whatever credential the request itself carried. The request is null if it is not kept any
 * more; `left` are the bytes of the body that left before the answer was cut.
 */
export function showExchange(record: JournalRecord, keys: readonly NamedKey[]) {
  const { entry, arrival, answer, phases, bodyLeft } = record;
  const secrets = hiddenSecrets(keys, arrival);
  const headers = (raw: readonly string[], isSecret: (name: string) => boolean): ShownMessage['headers'] =>
    namedValues(raw).map(([name, value]) => [
      redactText(name, secrets),
      isSecret(name) ? credential(value, keys) : redactText(value, secrets),
    ]);
  return {
    entry: showEntry(record, keys),
    phases,
    request: arrival && {
      url: redactText(
        replaceSecretParameters(arrival.url, () => HIDDEN),
        secrets,
      ),
      headers: headers(arrival.rawHeaders, isSecretName),
      body: showBody(arrival.body, secrets),
    },
    response: answer && {
      ...answer,
      headers: headers(answer.headers, (name) => name.toLowerCase() === HANDED_OUT),
      body: showBody(answer.body, secrets),
      left: entry.ended === 'cut' ? bodyLeft : null,
    },
  };
}

/** `Bearer (a key: primary)`, or `(an unknown key)`. */
function credential(value: string, keys: readonly NamedKey[]): string {
  const [scheme = ''] = /^\w+ +/.exec(value) ?? [];
  const secret = value.slice(scheme.length).trim();
  const known = keys.find(({ key }) => key === secret);
  return `${scheme}${known === undefined ? '(an unknown key)' : `(a key: ${known.name})`}`;
}

function showBody(body: Buffer | null, secrets: Secrets): ShownBody {
  if (body === null) return null;
  const shown = Buffer.from(redactBytes(body, secrets));
  const content = isUtf8(shown) ? { text: shown.toString() } : { base64: shown.toString('base64') };
  return { ...content, bytes: body.length };
}
