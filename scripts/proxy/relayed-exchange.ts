import type { RawHeaders } from './hop-by-hop.ts';
import type { KeptBody } from './kept-body.ts';

/** How the answer of a request ended. */
export type RelayEnd =
  | { readonly kind: 'whole' }
  /** The target was not reached: nothing left for it. */
  | { readonly kind: 'unreached'; readonly why: string }
  /** The connection to the target broke. */
  | { readonly kind: 'cut'; readonly why: string }
  /** The caller closed its connection first. */
  | { readonly kind: 'left' };

/** The answer of the target, as far as it has come. */
export interface RelayedAnswer {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  /** When its head came; times are those of `performance.now()`. */
  readonly headersAt: number;
  readonly body: KeptBody;
}

/** One request on its way through the proxy, and its answer. It holds keys. */
export interface RelayedExchange {
  /** From 1, in the order in which they arrived. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly rawHeaders: RawHeaders;
  readonly body: KeptBody;
  answer: RelayedAnswer | undefined;
  /** Undefined while it is under way. */
  end: RelayEnd | undefined;
  endedAt: number | undefined;
}

/** Is told of every request. */
export interface RelayWatcher {
  readonly arrived: (relayed: RelayedExchange) => void;
  /** Its request, its answer and its end are complete. */
  readonly ended: (relayed: RelayedExchange) => void;
}
