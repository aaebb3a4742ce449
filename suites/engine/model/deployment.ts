import type { z } from 'zod';
import type { requests, workspace } from './control-schema.ts';
import type { Fixed, SecretPlaces } from './exchange.ts';

/** A fault for the next completion request, and for that one only. */
export interface FaultRule {
  readonly fault: 'rate_limit' | 'model_unavailable' | 'service_unavailable' | 'gateway_failure' | 'timeout';
  /** After the reservation and before the debit; absent: at the fault's usual phase. */
  readonly phase?: 'during-generation';
}

/** One request, as a workspace shows it. Amounts are whole credits. */
export type WorkspaceRequest = Fixed<z.infer<typeof requests>>['requests'][number];

/** The balance of a workspace, in whole credits. */
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
  /** How often the armed faults have triggered. */
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
