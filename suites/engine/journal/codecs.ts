import { isUtf8 } from 'node:buffer';
import type { Answer, Credential, Outcome, SentRequest } from '../model/exchange.ts';
import type {
  RecordedAnswer,
  RecordedBytes,
  RecordedCredential,
  RecordedOutcome,
  RecordedRequest,
  RecordedRuling,
  RecordedTargetInfo,
} from '../model/journal.ts';
import type { Ruling } from '../model/ruling.ts';
import type { Profile, TargetInfo } from '../model/target.ts';

// Each pair turns a value of a run into its form in a journal, and back.

export function recordRequest({ method, path, headers, credential, body }: SentRequest): RecordedRequest {
  return {
    method,
    path,
    headers,
    credential: recordCredential(credential),
    ...(body !== undefined && { body: recordBytes(body) }),
  };
}

export function requestFrom({ body, credential, ...request }: RecordedRequest): SentRequest {
  return {
    ...request,
    credential: credentialFrom(credential),
    body: body === undefined ? undefined : bytesFrom(body),
  };
}

export function recordOutcome(outcome: Outcome): RecordedOutcome {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'answered') return { ...outcome, answer: recordAnswer(outcome.answer) };
  const { kind, reason, answer } = outcome;
  return { kind, reason, ...(answer !== undefined && { answer: recordAnswer(answer) }) };
}

export function outcomeFrom(outcome: RecordedOutcome): Outcome {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'answered') return { ...outcome, answer: answerFrom(outcome.answer) };
  const { kind, reason, answer } = outcome;
  return { kind, reason, ...(answer !== undefined && { answer: answerFrom(answer) }) };
}

function recordAnswer({ body, pieces, ...answer }: Answer): RecordedAnswer {
  return { ...answer, body: recordBytes(body), pieces: pieces.map(({ at, upTo }) => [at, upTo]) };
}

function answerFrom({ body, pieces, ...answer }: RecordedAnswer): Answer {
  return { ...answer, body: bytesFrom(body), pieces: pieces.map(([at, upTo]) => ({ at, upTo })) };
}

/** Readable where the bytes are text, and always exact. */
export function recordBytes(bytes: Uint8Array): RecordedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

export function bytesFrom(recorded: RecordedBytes): Uint8Array {
  return 'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64');
}

/** Two keys without a common character: where both give the same text around them, the text does not depend on the key. */
const STAND_INS = ['First1Key', 'OTHEr2vAluE'] as const;

/** Omits the key: of a forged header that holds the whole key, keeps only the text around it. */
export function recordCredential(credential: Credential): RecordedCredential {
  if (credential.kind !== 'forged') return credential;
  const { header, ...rest } = credential;
  const [around, others] = STAND_INS.map((key) => header(key).split(key));
  return around !== undefined && around.join() === others?.join() ? { ...rest, around } : rest;
}

/** Of a header made from a changed key only the label was recorded. */
export function credentialFrom(recorded: RecordedCredential): Credential {
  if (recorded.kind !== 'forged') return recorded;
  const { around, ...rest } = recorded;
  return { ...rest, header: (key) => around?.join(key) ?? `<${rest.label}>` };
}

export function recordRuling(ruling: Ruling | Error): RecordedRuling {
  if (!(ruling instanceof Error)) return ruling;
  return { kind: 'error', name: ruling.name, message: ruling.message };
}

export function rulingFrom(recorded: RecordedRuling): Ruling | Error {
  if (recorded.kind !== 'error') return recorded;
  return Object.assign(new Error(recorded.message), { name: recorded.name });
}

export function recordTargetInfo({ profile: _profile, keys, ...info }: TargetInfo): RecordedTargetInfo {
  return { ...info, keys: [...keys] };
}

/** `profile`: that of the run. */
export function targetInfoFrom({ keys, ...info }: RecordedTargetInfo, profile: Profile): TargetInfo {
  return { ...info, profile, keys: new Set(keys) };
}
