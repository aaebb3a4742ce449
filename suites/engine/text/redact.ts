import { hash } from 'node:crypto';
import {
  redactBytes,
  redactText,
  redactValue,
  type Secrets,
} from '../../../fixtures/credentials/redact-secrets.ts';
import type { Answer, Credential, Outcome, SentRequest } from '../model/exchange.ts';
import { asError, type RulingOrError } from '../model/ruling.ts';
import type { Target } from '../model/run.ts';
import { declaredCodings } from '../reading/answers.ts';
import { withoutCodings } from '../reading/content-codings.ts';
import { changedKeys, secretsOf } from './secrets.ts';

/** Takes every key out of bytes, texts and values, in the spellings that `docs/journal.md` lists. */
export type Redactor = ReturnType<typeof redactorOf>;

/** Redacts the keys of a target, its headers that hold secrets, and the token of its control URL. */
export function redactorOf(target: Pick<Target, 'keys' | 'headers' | 'network'>, controlToken?: string) {
  const secrets = secretsOf(target, controlToken);
  const text = (value: string): string => redactText(value, secrets);
  return {
    text,
    bytes: (body: Uint8Array): Uint8Array => redactBytes(body, secrets),
    /** In every string of a JSON value. */
    value: <V>(foreign: V): V => redactValue(foreign, secrets),
    /** Of the request with this credential: its answer may quote the key as the run changed it. */
    outcome: (outcome: Outcome, credential?: Credential): Promise<Outcome> => {
      const changed = changedKeys(credential, target.keys);
      return redactOutcome(outcome, changed.size === 0 ? secrets : new Map([...changed, ...secrets]));
    },
    /** A judgement may join parts of an answer to a key, and an error may quote a key. IDs are words of ours. */
    ruling: (ruling: RulingOrError): RulingOrError => redactRuling(ruling, secrets),
    /** Of a request that the code of a user made. */
    request: ({ body, path, headers, ...request }: SentRequest): SentRequest => ({
      ...request,
      path: text(path),
      headers: redactValue(headers, secrets),
      body: body && redactBytes(body, secrets),
    }),
  };
}

/** What a ruling quotes; its other members are words of ours. */
const QUOTING: ReadonlySet<string> = new Set(['expected', 'actual', 'reason', 'hint', 'value']);

function redactRuling(ruling: RulingOrError, secrets: Secrets): RulingOrError {
  // A judgement may come from anywhere, and so may what it returns.
  try {
    if (!(ruling instanceof Error)) return redactValue(ruling, secrets, QUOTING);
    ruling.message = redactText(ruling.message, secrets);
    if (ruling.stack !== undefined) ruling.stack = redactText(ruling.stack, secrets);
    return ruling;
  } catch (error) {
    return asError(error);
  }
}

async function redactOutcome(outcome: Outcome, secrets: Secrets): Promise<Outcome> {
  // Reasons are words of ours, which decide what is done next.
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return outcome;
  const { answer } = outcome;
  // Hardly any answer holds a key: its headers are first searched all at once.
  let inHeaders = '';
  for (const name in answer.headers) inHeaders += `${name} ${answer.headers[name]} `;
  const isFree = redactText(inHeaders, secrets) === inHeaders;
  const headers = isFree ? answer.headers : redactValue(answer.headers, secrets);
  return { ...outcome, answer: { ...answer, ...(await redactBody(answer, secrets)), headers } };
}

const HOLDS_KEY = Buffer.from('[a compressed body that holds a key, or cannot be searched for one]');

async function redactBody(answer: Answer, secrets: Secrets): Promise<Pick<Answer, 'body' | 'whole'>> {
  const { body } = answer;
  if (await isSafe(answer, secrets)) {
    const redacted = redactBytes(body, secrets);
    return { body: answer.whole === undefined ? redacted : withoutEnd(redacted, secrets) };
  }
  const { bytes, sha256 } = answer.whole ?? { bytes: body.length, sha256: hash('sha256', body, 'hex') };
  return { body: HOLDS_KEY, whole: { bytes, sha256, isWithheld: true } };
}

/** No spelling of a character takes more bytes. */
const LONGEST_SPELLING = 12;

/** A body that was cut may end within a key, which nobody recognises: so much of its end is left out. */
function withoutEnd(body: Uint8Array, secrets: Secrets): Uint8Array {
  const longest = Math.max(0, ...[...secrets.keys()].map((secret) => Buffer.byteLength(secret)));
  const end = Math.max(0, body.length - LONGEST_SPELLING * longest);
  // A character of UTF-8 has up to three bytes after its first.
  const first = [0, 1, 2, 3].find((back) => (body[end - back] ?? 0) >> 6 !== 2) ?? 0;
  return body.subarray(0, end - first);
}

/** More is not decoded to be searched. */
const MOST_SEARCHED = 4 * 1024 * 1024;

/** Whether no key is behind the content coding of a body, if it has one. */
async function isSafe(answer: Answer, secrets: Secrets): Promise<boolean> {
  const codings = answer.decoded === true ? [] : declaredCodings(answer);
  if (codings.length === 0) return true;
  const plain = await withoutCodings(answer.body, codings, MOST_SEARCHED);
  return plain === 'wrong' || (plain !== 'too-large' && redactBytes(plain, secrets) === plain);
}
