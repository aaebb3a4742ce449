import type { ErrorKind } from '../protocol/error-table.ts';
import { DELIVERY_FAULTS } from './catalogue/delivery-catalogue.ts';
import { FAULTS, type HANDSHAKE_FAULTS, LOSSES, REFUSALS, WAITS } from './catalogue/fault-catalogue.ts';
import type { Phase } from './catalogue/phases.ts';
import type { Milliseconds } from './spread.ts';

/** How a request ends that loses its answer between its reservation and its debit. */
export type LostRequestOutcome = 'review' | 'completes' | 'fails';

/** The application errors that are faults too. */
export type RefusalFault = Extract<
  ErrorKind,
  | 'unknown_model'
  | 'token_limit'
  | 'rate_limit'
  | 'model_unavailable'
  | 'service_unavailable'
  | 'insufficient_credits'
>;

export type GatewayBody = 'html' | 'text' | 'empty';

/** What `retry_after` says; null: as usual. */
interface Retrying {
  readonly retry_after: string | number | null;
}

/** Faults that take the place of the answer. */
export type Loss = { readonly outcome: LostRequestOutcome } & (
  | ({
      readonly fault: 'gateway_failure';
      readonly status: number;
      readonly body: GatewayBody;
    } & Retrying)
  | ({
      readonly fault: 'own_answer';
      readonly status: number;
      readonly content_type: string;
      readonly body: string;
    } & Retrying)
  | { readonly fault: 'timeout'; readonly ms: null }
  | { readonly fault: 'half_open' | 'connection_closed' | 'connection_reset' }
);

/** An application error, and its Retry-After. */
export type Refusal = { readonly fault: RefusalFault } & Retrying;

/** Faults of an answer whose headers have left. Bytes are those of the body. */
export type DeliveryFault =
  | { readonly fault: 'connection_closed' | 'connection_reset'; readonly outcome: LostRequestOutcome }
  | { readonly fault: 'body_cut'; readonly bytes: number }
  | { readonly fault: 'stream_cut'; readonly events: number }
  /** Null: the rest is never sent. */
  | { readonly fault: 'stall'; readonly bytes: number; readonly ms: number | null }
  | { readonly fault: 'pieces'; readonly bytes: number; readonly ms: number }
  | { readonly fault: 'split_characters'; readonly ms: number }
  | { readonly fault: 'bandwidth'; readonly bytes_per_second: number }
  | { readonly fault: 'duplicate_event' | 'malformed_event'; readonly event: number }
  | { readonly fault: 'error_event'; readonly events: number }
  | HeaderFault
  | { readonly fault: 'idle_closed'; readonly ms: number; readonly how: 'silently' | 'announced' }
  | { readonly fault: 'wrong_content_length'; readonly difference: number };

export interface HeaderFault {
  readonly fault: 'wrong_header';
  readonly header: 'content-type' | 'content-length' | 'content-encoding';
  readonly how: 'wrong' | 'missing' | 'doubled';
  readonly value: string | number | null;
}

/** Faults of a request before its answer leaves. Milliseconds are of real time. */
export type ProcessingFault =
  | Refusal
  | Loss
  | { readonly fault: 'timeout' | 'latency' | 'slow_accept'; readonly ms: Milliseconds };

/** What is wrong with a certificate. */
export type CertificateFlaw =
  (typeof HANDSHAKE_FAULTS)['wrong_certificate']['parameters']['how']['choices'][number];

interface WrongCertificate {
  readonly fault: 'wrong_certificate';
  readonly how: CertificateFlaw;
}

/** Faults of a connection before its first request. */
export type HandshakeFault =
  | WrongCertificate
  | { readonly fault: 'connection_closed' | 'connection_reset' }
  /** Null: for ever. */
  | { readonly fault: 'timeout' | 'latency'; readonly ms: Milliseconds | null };

export type Fault = ProcessingFault | DeliveryFault | WrongCertificate;

export function isHandshakeFault(fault: Fault): fault is Fault & HandshakeFault {
  const phases: readonly Phase[] = FAULTS[fault.fault].phases;
  return phases.includes('handshake');
}

export function isProcessingFault(fault: Fault): fault is ProcessingFault {
  return fault.fault in REFUSALS || fault.fault in LOSSES || fault.fault in WAITS;
}

export function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return fault.fault in DELIVERY_FAULTS || fault.fault.startsWith('connection_');
}

export function isLoss(fault: ProcessingFault): fault is Loss {
  return 'outcome' in fault;
}

export function isRefusal(fault: ProcessingFault): fault is Refusal {
  return fault.fault in REFUSALS;
}
