import type { ErrorKind } from '../protocol/error-table.ts';
import { DELIVERY_FAULTS, LOSSES, REFUSALS } from './fault-catalogue.ts';

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

export type GatewayStatus = 502 | 503 | 504;
export type GatewayBody = 'html' | 'text' | 'empty';

/** Faults that take the place of the answer. */
export type Loss =
  | {
      readonly fault: 'gateway_failure';
      readonly status: GatewayStatus;
      readonly body: GatewayBody;
      readonly outcome: LostRequestOutcome;
    }
  | { readonly fault: 'timeout'; readonly ms: null; readonly outcome: LostRequestOutcome }
  | { readonly fault: 'connection_closed' | 'connection_reset'; readonly outcome: LostRequestOutcome };

/** Faults of an answer whose headers have left. Bytes are those of the body. */
export type DeliveryFault =
  | { readonly fault: 'connection_closed' | 'connection_reset'; readonly outcome: LostRequestOutcome }
  | { readonly fault: 'body_cut'; readonly bytes: number }
  | { readonly fault: 'stream_cut'; readonly events: number }
  /** Null: the rest is never sent. */
  | { readonly fault: 'stall'; readonly bytes: number; readonly ms: number | null }
  | { readonly fault: 'pieces'; readonly bytes: number; readonly ms: number }
  | { readonly fault: 'wrong_content_length'; readonly difference: number };

/** Faults of a request before its answer leaves. Milliseconds are of real time. */
export type ProcessingFault =
  | { readonly fault: RefusalFault }
  | Loss
  | { readonly fault: 'timeout'; readonly ms: number };

export type Fault = ProcessingFault | DeliveryFault;

export function isProcessingFault(fault: Fault): fault is ProcessingFault {
  return fault.fault in REFUSALS || fault.fault in LOSSES;
}

export function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return fault.fault in DELIVERY_FAULTS || fault.fault.startsWith('connection_');
}

export function isLoss(fault: ProcessingFault): fault is Loss {
  return 'outcome' in fault;
}

export function isRefusal(fault: ProcessingFault): fault is { readonly fault: RefusalFault } {
  return fault.fault in REFUSALS;
}
