import { isChargeable } from '../model/draft.ts';
import { isUtf8 } from 'node:buffer';
import type {
  Answer,
  ArmedFault,
  Exchange,
  Outcome,
  SentRequest,
  Credential,
  ForgedCredential,
} from '../model/exchange.ts';

import type {
  EndedEntry,
  RecordedAnswer,
  RecordedOutcome,
  RecordedRequest,
  SentEntry,
  WithheldEntry,
  RecordedBytes,
  RecordedCredential,
  RecordedRuling,
} from '../model/journal.ts';
import type { Ruling } from '../model/ruling.ts';

/** The line that stands for a request before it leaves. */
export function sentEntry(id: string, request: SentRequest, armed?: ArmedFault): SentEntry {
  return {
    type: 'sent',
    id,
    at: new Date().toISOString(),
    request: recordRequest(request),
    chargeable: isChargeable(request),
    ...(armed !== undefined && { armed }),
  };
}

export function endedEntry({ id, outcome }: Exchange): EndedEntry {
  return { type: 'ended', id, outcome: recordOutcome(outcome) };
}

export function withheldEntry({ id, request }: Exchange, reason: string): WithheldEntry {
  return { type: 'withheld', id, request: recordRequest(request), reason };
}

function recordRequest({ method, path, headers, credential, body }: SentRequest): RecordedRequest {
  return {
    method,
    path,
    headers,
    credential: recordCredential(credential),
    ...(body !== undefined && { body: recordBytes(body) }),
  };
}

function recordOutcome(outcome: Outcome): RecordedOutcome {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answered', answer: recordAnswer(outcome.answer) };
    case 'not-sent':
      return outcome;
    case 'uncertain': {
      const { kind, reason, answer } = outcome;
      return { kind, reason, ...(answer !== undefined && { answer: recordAnswer(answer) }) };
    }
  }
}

function recordAnswer({ body, pieces, ...answer }: Answer): RecordedAnswer {
  return { ...answer, body: recordBytes(body), pieces: pieces.map(({ at, upTo }) => [at, upTo]) };
}

/** The request that was recorded. */
export function requestFrom({ body, credential, ...request }: RecordedRequest): SentRequest {
  return {
    ...request,
    credential: credentialOf(credential),
    body: body === undefined ? undefined : bytesOf(body),
  };
}

/** What became of a request, as it was recorded. */
export function outcomeFrom(outcome: RecordedOutcome): Outcome {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answered', answer: answerFrom(outcome.answer) };
    case 'not-sent':
      return outcome;
    case 'uncertain': {
      const { kind, reason, answer } = outcome;
      return { kind, reason, ...(answer !== undefined && { answer: answerFrom(answer) }) };
    }
  }
}

function answerFrom({ body, pieces, ...answer }: RecordedAnswer): Answer {
  return { ...answer, body: bytesOf(body), pieces: pieces.map(([at, upTo]) => ({ at, upTo })) };
}

/** Bytes as a line of a journal holds them: readable where they are text, and always exact. */
export function recordBytes(bytes: Uint8Array): RecordedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

/** The very bytes that were recorded. */
export function bytesOf(recorded: RecordedBytes): Uint8Array {
  return 'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64');
}

/** Two keys that have no character in common: what is made of both alike depends on neither. */
const STAND_INS = ['First1Key', 'OTHEr2vAluE'] as const;

/** A credential without anything of a key: a forged one as what stands around the key, where it holds it whole. */
export function recordCredential(credential: Credential): RecordedCredential {
  if (credential.kind !== 'forged') return credential;
  const { header, ...rest } = credential;
  const [around, others] = STAND_INS.map((key) => header(key).split(key));
  return around !== undefined && around.join() === others?.join() ? { ...rest, around } : rest;
}

/** The credential that was recorded. Of a key that was changed only the label is left: it is lost. */
export function credentialOf(recorded: RecordedCredential): Credential {
  if (recorded.kind !== 'forged') return recorded;
  const { around, ...rest } = recorded;
  return { ...rest, header: (key) => around?.join(key) ?? inPlaceOfKey(rest.label) };
}

/** Whether the header cannot be made again from the record. */
export function isLost({ label, header }: ForgedCredential): boolean {
  return header('') === inPlaceOfKey(label);
}

function inPlaceOfKey(label: string): string {
  return `<${label}>`;
}

/** A ruling as a line of a journal holds it. */
export function recordRuling(ruling: Ruling | Error): RecordedRuling {
  if (!(ruling instanceof Error)) return ruling;
  return { kind: 'error', name: ruling.name, message: ruling.message };
}

/** The ruling that was recorded. */
export function rulingFrom(recorded: RecordedRuling): Ruling | Error {
  if (recorded.kind !== 'error') return recorded;
  return Object.assign(new Error(recorded.message), { name: recorded.name });
}
