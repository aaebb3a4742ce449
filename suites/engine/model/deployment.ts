import type { SecretPlaces } from './exchange.ts';

/** A fault for the next completion request, and for that one only. */
export interface FaultRule {
  readonly fault: 'rate_limit' | 'model_unavailable' | 'service_unavailable' | 'gateway_failure' | 'timeout';
  /** After the reservation and before the debit; absent: at the fault's usual phase. */
  readonly phase?: 'during-generation';
}

/** One request, as a workspace shows it. Amounts are whole credits. */
export interface WorkspaceRequest {
  readonly requestId: string;
  readonly state: 'running' | 'succeeded' | 'failed' | 'under_review';
  /** Null without a reservation, which the service may do without (LIM-3). */
  readonly reservation: {
    readonly credits: number;
    readonly state: 'held' | 'consumed' | 'released' | 'under_review';
  } | null;
  readonly debit: number | null;
  /** The tokens that the debit pays for, where the workspace shows them. */
  readonly usage?: { readonly input: number; readonly output: number };
  /** As the answer spells it, where the workspace shows it. */
  readonly finishReason?: string;
}

/** The balance of a workspace, in whole credits. */
export interface Balance {
  /** What a new reservation can take. */
  readonly available: number;
  /** Set aside for requests that run or are under review. */
  readonly held: number;
}

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
  readonly disarm: () => Promise<void>;
  /** Whether a fault may still be armed. */
  readonly isArmed: () => boolean;
  /** Every request with this Idempotency-Key that the workspace knows. */
  readonly requests: (idempotencyKey: string) => Promise<readonly WorkspaceRequest[]>;
  /** Whether the workspace has shown the outcome of the request with this Idempotency-Key. */
  readonly hasShown: (idempotencyKey: string) => boolean;
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
  readonly token?: string;
  /** Where the token was read. Absent: in the usual variable. */
  readonly secrets?: SecretPlaces;
  /** How long the workspace may take to show what happened, in milliseconds; 10,000 unless given. */
  readonly patienceMs?: number;
}
