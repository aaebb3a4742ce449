import { z } from 'zod';

// The answers below a control URL (docs/control-protocol.md). Amounts are whole credits: a negative one is for judgements to notice.

const text = z.string().min(1);

/** One request, as a workspace shows it. */
const request = z.object({
  requestId: text,
  state: z.enum(['running', 'succeeded', 'failed', 'under_review']),
  /** Null without a reservation, which the service may do without (LIM-3). */
  reservation: z
    .object({ credits: z.int(), state: z.enum(['held', 'consumed', 'released', 'under_review']) })
    .nullable(),
  debit: z.int().nullable(),
  /** The tokens that the debit pays for, where the workspace shows them. */
  usage: z.object({ input: z.int(), output: z.int() }).optional().catch(undefined),
  /** As the answer spells it, where the workspace shows it. */
  finishReason: text.optional().catch(undefined),
});

export const requests = z.object({ requests: z.array(request) });

export const faults = z.object({ rules: z.array(z.object({ fired: z.int() })) });

const balance = z.object({
  /** What a new reservation can take. */
  available: z.int(),
  /** Set aside for requests that run or are under review. */
  held: z.int(),
});

/** The credits of the primary key, or of the only one. */
export const workspace = z
  .object({ keys: z.record(z.string(), z.unknown()) })
  .transform(({ keys }) => {
    const [only, ...others] = Object.values(keys);
    return keys['primary'] ?? (others.length === 0 ? only : undefined);
  })
  .pipe(balance);
