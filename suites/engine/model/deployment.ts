import { z } from 'zod';
import type { Fixed, SecretPlaces } from './exchange.ts';

// The control protocol (docs/control-protocol.md). Amounts are whole credits: a negative one is for judgements to notice. Only what
// reads an answer loads the schemas.

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

/** A fault for the next completion request, and for that one only. */
export interface FaultRule {
  readonly fault: 'rate_limit' | 'model_unavailable' | 'service_unavailable' | 'gateway_failure' | 'timeout';
  /** After the reservation and before the debit; absent: at the fault's usual phase. */
  readonly phase?: 'during-generation';
}

/** One request, as a workspace shows it. */
export type WorkspaceRequest = Fixed<z.infer<typeof requests>>['requests'][number];

/** In whole credits. */
export type Balance = Fixed<z.infer<typeof workspace>>;

/**
 * The faults and the workspace of the target, behind its control URL. Control requests are neither counted, nor
 * judged, nor recorded. Every failure is a ControlError.
 */
export interface Deployment {
  /** How long the workspace may take to show what happened, in milliseconds. */
  readonly patienceMs: number;
  /** Arms one rule in place of all others. */
  readonly arm: (rule: FaultRule) => Promise<void>;
  readonly triggerCount: () => Promise<number>;
  /** Does nothing where no fault may be armed any more. */
  readonly disarm: () => Promise<void>;
  /** Every request with this Idempotency-Key that the workspace knows. */
  readonly requests: (idempotencyKey: string) => Promise<readonly WorkspaceRequest[]>;
  /** The credits behind the primary key. */
  readonly balance: () => Promise<Balance>;
  /** Asks that a request under review be ended as failed. A deployment need not offer that. */
  readonly release: (requestId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Where a deployment is controlled, and with which bearer token. */
export interface Control {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token?: string | undefined;
  /** Where the token was read. Absent: in the usual variable. */
  readonly secrets?: SecretPlaces | undefined;
  /** How long the workspace may take to show what happened, in milliseconds; 10,000 unless given. */
  readonly patienceMs?: number;
}
