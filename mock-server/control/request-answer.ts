import { z } from 'zod';

import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { LedgerEntry } from '../workspace/ledger.ts';
import { RESERVATION_OF, type RequestState, type ReservationState } from '../workspace/request-state.ts';
import { closedObject } from '../world/closed-object.ts';

const STATES = ['running', 'succeeded', 'failed', 'under_review'] as const satisfies readonly RequestState[];
const RESERVATIONS = [
  'held',
  'consumed',
  'released',
  'under_review',
] as const satisfies readonly ReservationState[];

export const requestState = z.enum(STATES);
export const reservationState = z.enum(RESERVATIONS);

/** What became of a request, and of its credits. */
export const requestAnswer = closedObject({
  requestId: z.string(),
  idempotencyKey: z.string().nullable(),
  workspace: z.string().nullable(),
  state: z.enum([...STATES, 'unreserved']).describe('unreserved: it came, and nothing was reserved for it'),
  reservation: closedObject({ credits: z.int(), state: reservationState }).nullable(),
  debit: z.int().nullable().describe('Credits; null: none was applied'),
  usage: closedObject({ input: z.int(), output: z.int() })
    .nullable()
    .describe('What the debit is for, in tokens'),
  finishReason: z.string().nullable().describe('Of the completion that was debited'),
});

export type RequestAnswer = z.input<typeof requestAnswer>;

export function describeEntry({
  requestId,
  idempotencyKey,
  workspace,
  state,
  reserved,
  debit,
  work,
}: LedgerEntry): RequestAnswer {
  const reservation = { credits: reserved, state: RESERVATION_OF[state] };
  const usage = work === null ? null : { input: work.inputTokens, output: work.outputTokens };
  const finishReason = work?.finishReason ?? null;
  return { requestId, idempotencyKey, workspace, state, reservation, debit, usage, finishReason };
}

/**
 * A request by its ID, or the latest one with this Idempotency-Key; one that was refused before its reservation, or
 * had none to make, as long as the journal remembers it. Undefined: neither has heard of it.
 */
export function findRequest({ service, journal }: Sandbox, reference: string): RequestAnswer | undefined {
  const { ledger } = service;
  const entry =
    ledger.find(reference) ?? ledger.entries().findLast(({ idempotencyKey }) => idempotencyKey === reference);
  if (entry !== undefined) return describeEntry(entry);
  const came = journal
    ?.entries()
    .findLast(({ requestId, idempotencyKey }) => requestId === reference || idempotencyKey === reference);
  if (came === undefined) return undefined;
  const { requestId, idempotencyKey } = came;
  return {
    requestId,
    idempotencyKey,
    workspace: null,
    state: 'unreserved',
    reservation: null,
    debit: null,
    usage: null,
    finishReason: null,
  };
}
