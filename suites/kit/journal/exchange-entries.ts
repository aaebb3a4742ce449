import type { Answer, ArmedFault, Exchange, Outcome, SentRequest } from '../model/exchange.ts';
import { isChargeable } from '../sending/sent-request.ts';
import type {
  EndedEntry,
  RecordedAnswer,
  RecordedOutcome,
  RecordedRequest,
  SentEntry,
  WithheldEntry,
} from './entry.ts';
import { bytesOf, recordBytes } from './recorded-bytes.ts';
import { credentialOf, recordCredential } from './recorded-credential.ts';

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
