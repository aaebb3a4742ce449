import { DELIVERY_FAULTS } from './kinds/delivery-faults.ts';
import { LOSSES } from './kinds/losses.ts';
import { REFUSALS } from './kinds/refusals.ts';
import type { ErrorKind } from '../endpoints/error-table.ts';

/** What becomes of a request whose answer was lost between its reservation and its debit. */
export type Outcome = 'review' | 'completes' | 'fails';

/** The application errors that can be asked for. */
export type Refusal = Extract<
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

/** What the caller gets instead of the answer. */
export type Loss =
  | {
      readonly fault: 'gateway_failure';
      readonly status: GatewayStatus;
      readonly body: GatewayBody;
      readonly outcome: Outcome;
    }
  | { readonly fault: 'timeout'; readonly ms: null; readonly outcome: Outcome }
  | { readonly fault: 'connection_closed' | 'connection_reset'; readonly outcome: Outcome };

/** What happens to an answer on its way, once its headers have left. Bytes are those of the body. */
export type DeliveryTrouble =
  | { readonly fault: 'connection_closed' | 'connection_reset'; readonly outcome: Outcome }
  | { readonly fault: 'body_cut'; readonly bytes: number }
  | { readonly fault: 'stream_cut'; readonly events: number }
  /** Null: the rest never comes. */
  | { readonly fault: 'stall'; readonly bytes: number; readonly ms: number | null }
  | { readonly fault: 'pieces'; readonly bytes: number; readonly ms: number }
  | { readonly fault: 'wrong_content_length'; readonly difference: number };

/** What happens to a request before its answer is on its way. Milliseconds are of real time. */
export type RequestTrouble =
  | { readonly fault: Refusal }
  | Loss
  | { readonly fault: 'timeout'; readonly ms: number };

/** A fault with its parameters, ready to strike. */
export type Trouble = RequestTrouble | DeliveryTrouble;

export function isRequestTrouble(trouble: Trouble): trouble is RequestTrouble {
  return trouble.fault in REFUSALS || trouble.fault in LOSSES;
}

export function isDeliveryTrouble(trouble: Trouble): trouble is DeliveryTrouble {
  return trouble.fault in DELIVERY_FAULTS || trouble.fault.startsWith('connection_');
}

/** Whether the answer is lost by it. */
export function isLoss(trouble: RequestTrouble): trouble is Loss {
  return 'outcome' in trouble;
}

export function isRefusal(trouble: RequestTrouble): trouble is { readonly fault: Refusal } {
  return trouble.fault in REFUSALS;
}
