import { z } from 'zod';

export const requestState = z.enum(['running', 'succeeded', 'failed', 'under_review']);
export const reservationState = z.enum(['held', 'consumed', 'released', 'under_review']);

/** The credits of a workspace. */
export const account = z.strictObject({
  workspace: z.string(),
  granted: z.int(),
  debited: z.int(),
  held: z.int().describe('For running requests and those under review'),
  available: z.int().describe('granted − debited − held'),
});

/** One line of the history: an entry after a change. */
export const ledgerChange = z.strictObject({
  n: z.int().describe('The number of the change in its world, from 1'),
  at: z.int().describe('Milliseconds since 1970, by the clock of the world'),
  requestId: z.string(),
  workspace: z.string(),
  idempotencyKey: z.string().nullable().describe('Null: the request has none'),
  reserved: z.int(),
  state: requestState,
  reservation: reservationState,
  debit: z.int().nullable().describe('Null: no debit was applied'),
});
