import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Draft } from '../model/draft.ts';
import type { Credential, SentRequest } from '../model/exchange.ts';
import { isLost } from '../journal/recorded-credential.ts';
import { askedOutput } from '../sending/sent-request.ts';
import { ReplayError } from './replay-error.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Exactly the bytes of a recorded request; `draft` gives what no record holds: a fresh Idempotency-Key, and keys. */
export function recordedDraft(request: SentRequest, draft: Partial<Draft> = {}): Draft {
  const { [HEADERS.idempotencyKey]: key, ...headers } = request.headers;
  const method = METHODS.find((known) => known === request.method);
  if (method === undefined) throw new ReplayError(`${request.method} is no method that is sent here`);
  return {
    idempotencyKey: key === undefined ? 'none' : 'fresh',
    ...draft,
    method,
    path: request.path,
    headers,
    ...(request.body !== undefined && { body: request.body }),
    credential: credentialOf(request.credential, draft.credential),
    needsOutput: Math.max(askedOutput(request.body), draft.needsOutput ?? 0),
  };
}

/** A header made from a changed key is in no record: the input it came from makes it again. */
function credentialOf(recorded: Credential, drawn: Credential | undefined): Credential {
  if (recorded.kind !== 'forged' || !isLost(recorded)) return recorded;
  if (drawn?.kind === 'forged' && drawn.label === recorded.label) return drawn;
  throw new ReplayError(`it was sent with ${recorded.label}, which is in no record`);
}
