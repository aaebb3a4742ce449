import type { KeyPlace } from '../../../fixtures/credentials/wrong-credentials.ts';

/** Which of the target's keys a request carries, or what it carries in place of one. Never the key itself. */
export type Credential =
  | { readonly kind: 'key'; readonly name: KeyName }
  | { readonly kind: 'none' }
  | ForgedCredential;

/** An Authorization header made from the primary key, or something else in its place. */
export interface ForgedCredential {
  readonly kind: 'forged';
  /** What reports may show. */
  readonly label: string;
  readonly header: (primaryKey: string) => string;
  /** Where it stands; absent: in the Authorization header. */
  readonly elsewhere?: KeyPlace;
}

export type KeyName = 'primary' | 'second' | 'unscoped';

export const PRIMARY: Credential = { kind: 'key', name: 'primary' };

/** The request as sent, without the key. */
export interface SentRequest {
  readonly method: string;
  /** Below the base URL, e.g. `/chat/completions`. */
  readonly path: string;
  /** Lower-case names; no Authorization, which `credential` stands for. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credential: Credential;
  /** Exactly the bytes of the body; undefined when none was sent. */
  readonly body: Uint8Array | undefined;
}

/** A piece of the body as it arrived. */
export interface Piece {
  /** Milliseconds since the request left. */
  readonly at: number;
  /** How many bytes of the body had arrived with it, it included. */
  readonly upTo: number;
}

/** The body as it came, of an answer that keeps only its beginning, or nothing of it. */
export interface WholeBody {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Present: it cannot be read, so nobody knows whether a key is in it, and a note stands in its place. */
  readonly isWithheld?: true;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Present: the body is not the whole one. */
  readonly whole?: WholeBody;
  /** Present: it arrived in the content coding that its headers name, and the body is here without it, as one piece. */
  readonly decoded?: true;
  readonly pieces: readonly Piece[];
  /** Milliseconds since the request left. */
  readonly headersAt: number;
  /** Milliseconds since the request left. */
  readonly endedAt: number;
}

/**
 * The outcome of a request. `uncertain` is a timeout, a cut connection or a gateway error: the service
 * may have done the work and charged for it, so the request is never sent again (CALL-2).
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'uncertain'; readonly reason: string; readonly answer?: Answer };

/**
 * A fault that the run has armed for a request: a `refusal`, where even a gateway's status is an answer; or a `loss` of
 * the answer, where only the workspace shows the outcome of the request.
 */
export type ArmedFault = 'refusal' | 'loss';

/** One request and its outcome. */
export interface Exchange {
  /** Stimulus, draw and position in the draw: the same for the same seed, whatever the concurrency. */
  readonly id: string;
  readonly request: SentRequest;
  readonly outcome: Outcome;
  /** Absent: nothing was armed for it. */
  readonly armed?: ArmedFault;
}

export const KEY_NAMES: readonly KeyName[] = ['primary', 'second', 'unscoped'];

/** The environment variables that hold the keys. */
export const KEY_VARIABLES: Readonly<Record<KeyName, string>> = {
  primary: 'CHAT_API_KEY',
  second: 'CHAT_SECOND_API_KEY',
  unscoped: 'CHAT_UNSCOPED_API_KEY',
};

/** A request as sent on the wire, secrets included. */
export interface WireRequest {
  readonly method: string;
  /** Below the origin. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | undefined;
}

/** What the sender knows of the answer in advance. */
export interface ExchangeOptions {
  /** An armed refusal may have the status of a gateway, and is not uncertain. */
  readonly armed?: ArmedFault;
  /** Aborting it ends the wait for the answer; the reason says why. */
  readonly giveUp?: AbortSignal;
  /** Called when all but the last byte of the body has left; that byte leaves once it resolves. */
  readonly hold?: () => Promise<void>;
  /** How much of the body is kept. */
  readonly keepBytes?: number;
}

export interface Transport {
  /** Sends exactly once; never rejects for a failure of the network or the target. */
  readonly exchange: (request: WireRequest, options?: ExchangeOptions) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** A request of a stimulus. Omitted members default to those of a faithful caller. */
export interface Draft {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base URL. */
  readonly path: string;
  /** The primary key unless said otherwise. */
  readonly credential?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * `fresh` (the default for a POST) makes a new unique key, `none` leaves the header out; `made` makes another key each time
   * that it is sent again.
   */
  readonly idempotencyKey?: 'fresh' | 'none' | { readonly exactly: string } | { readonly made: () => string };
  /** A larger requested output than the run's cap on output tokens, because the check cannot be made otherwise. */
  readonly needsOutput?: number;
  /** The fault that the run has armed for it. */
  readonly armed?: ArmedFault;
  /** Aborting it ends the wait for the answer: only for a request whose answer was armed to be lost. */
  readonly giveUp?: AbortSignal;
  /** In a run with few inputs, the answer to an equal request of the run stands in for its own. */
  readonly mayReuse?: true;
  /** Holds back the last byte of the body until it resolves, so that several requests arrive at once. */
  readonly hold?: () => Promise<void>;
}

/** Whether a service might complete it and charge for it, rightly or not. */
export function isChargeable({ method }: Pick<SentRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Whether only the beginning of its body was kept: what it says as a whole cannot be judged. */
export function isCutShort({ whole }: Pick<Answer, 'whole'>): boolean {
  return whole !== undefined && whole.isWithheld !== true;
}

/** By convention, a refusal for lack of credits; not where a fault was armed that says so. */
export function isOutOfCredits({ armed, outcome }: Exchange): boolean {
  return armed === undefined && outcome.kind === 'answered' && outcome.answer.status === 402;
}
