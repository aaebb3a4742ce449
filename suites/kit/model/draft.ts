import type { ArmedFault, Credential, SentRequest } from './exchange.ts';

/** A request a stimulus wants sent. What it leaves out is what a faithful caller would send. */
export interface Draft {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL. */
  readonly path: string;
  /** The primary key unless said otherwise. */
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** `fresh` (the default for a POST) makes a new unique key, `none` leaves the header out. */
  readonly idempotencyKey?: 'fresh' | 'none' | { readonly exactly: string };
  /** A larger requested output than the run's cap on output tokens, because the question cannot be put otherwise. */
  readonly needsOutput?: number;
  /** What the run has armed for it, so that what comes is no surprise. */
  readonly armed?: ArmedFault;
  /** Once aborted, the answer is waited for no more: only for one that was armed never to come. */
  readonly giveUp?: AbortSignal;
}

/** Whether a service might make a completion of it, and charge for it, be it rightly or not. */
export function isChargeable({ method }: Pick<SentRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
