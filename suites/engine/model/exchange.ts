import type { z } from 'zod';
import type { keyName, outcome, request } from './exchange-schema.ts';

/** What a schema describes, read only. */
export type Fixed<T> = T extends Uint8Array | Error | ((...given: never) => unknown)
  ? T
  : T extends ReadonlySet<infer V>
    ? ReadonlySet<V>
    : T extends object
      ? { readonly [key in keyof T]: Fixed<T[key]> }
      : T;

export type KeyName = z.infer<typeof keyName>;

export type SentRequest = Fixed<z.infer<typeof request>>;

export type Credential = SentRequest['credential'];
export type ForgedCredential = Extract<Credential, { kind: 'forged' }>;

export type Outcome = Fixed<z.infer<typeof outcome>>;

export type Answer = Extract<Outcome, { kind: 'answered' }>['answer'];
export type Piece = Answer['pieces'][number];
export type WholeBody = NonNullable<Answer['whole']>;

export const PRIMARY: Credential = { kind: 'key', name: 'primary' };

/**
 * A fault that the run has armed for a request: a `refusal`, where even a gateway's status is an answer; or a `loss` of
 * the answer, where only the workspace shows the outcome of the request.
 */
export type ArmedFault = 'refusal' | 'loss';

export interface Exchange {
  /** Stimulus, draw and position in the draw: the same for the same seed, whatever the concurrency. */
  readonly id: string;
  readonly request: SentRequest;
  readonly outcome: Outcome;
  /** Absent: nothing was armed for it. */
  readonly armed?: ArmedFault;
}

/** The name of the stimulus that an exchange belongs to: its ID begins with it. */
export function stimulusOf({ id }: Pick<Exchange, 'id'>): string {
  return id.split('/', 1).join();
}

export const KEY_NAMES: readonly KeyName[] = ['primary', 'second', 'unscoped'];

/** Where a secret of a run was read: a variable of the environment, or a file. It is no secret itself. */
export type SecretPlace = { readonly env: string } | { readonly file: string };

/** Places that are not the usual ones, by setting of a configuration: `keys.primary`, `headers.x-token`. */
export type SecretPlaces = Readonly<Record<string, SecretPlace>>;

/** The variables that hold secrets unless another place is named, by setting. */
export const SECRET_VARIABLES = {
  'keys.primary': 'CHAT_API_KEY',
  'keys.second': 'CHAT_SECOND_API_KEY',
  'keys.unscoped': 'CHAT_UNSCOPED_API_KEY',
  controlToken: 'CHAT_CONTROL_TOKEN',
  proxyAuth: 'CHAT_PROXY_AUTH',
} as const;

export type SecretSetting = keyof typeof SECRET_VARIABLES;

export function placeOfSecret(setting: SecretSetting, places: SecretPlaces = {}): SecretPlace {
  return places[setting] ?? { env: SECRET_VARIABLES[setting] };
}

/** As messages name it: `STAGING_KEY`, `keys/staging`. */
export function secretPlace(setting: SecretSetting, places?: SecretPlaces): string {
  const place = placeOfSecret(setting, places);
  return 'env' in place ? place.env : place.file;
}

const OTHER_KEYS = { second: 'second key', unscoped: 'key without the inference scope' } as const;

/** Why something was not exercised: the run lacks a key. */
export function missingKey(name: Exclude<KeyName, 'primary'>): string {
  return `no ${OTHER_KEYS[name]}: set ${SECRET_VARIABLES[`keys.${name}`]}`;
}

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
  /** The fault that the run has armed for it. A refusal may have the status of a gateway, and is not uncertain. */
  readonly armed?: ArmedFault;
  /** Aborting it ends the wait for the answer, which was armed to be lost or whose caller left; the reason says why. */
  readonly giveUp?: AbortSignal;
  /** Called when all but the last byte of the body has left; that byte leaves once it resolves, so that several arrive at once. */
  readonly hold?: () => Promise<void>;
  /** How much of the body is kept. */
  readonly keepBytes?: number;
  /** The ID of an exchange whose connection broke: this is its second try, on a connection of its own. */
  readonly after?: string;
}

export function secondTryOf(id: string): string {
  return `${id}+`;
}

export interface Transport {
  /** Sends exactly once; never rejects for a failure of the network or the target. */
  readonly exchange: (request: WireRequest, options?: ExchangeOptions) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

/** A request of a stimulus. Omitted members default to those of a faithful caller. */
export interface Draft extends Omit<ExchangeOptions, 'keepBytes'> {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
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
}

/** Whether a service might complete it and charge for it, rightly or not. */
export function isChargeable({ method }: Pick<SentRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'DELETE';
}

/** Whether only the beginning of its body was kept: what it says as a whole cannot be judged. */
export function isCutShort({ whole }: Pick<Answer, 'whole'>): boolean {
  return whole !== undefined && whole.isWithheld !== true;
}

/** By convention, a refusal for lack of credits; not where a fault was armed that says so. */
export function isOutOfCredits({ armed, outcome }: Exchange): boolean {
  return armed === undefined && outcome.kind === 'answered' && outcome.answer.status === 402;
}

/** How the reason of a request begins that lost its connection. */
export const CONNECTION_BROKE = 'the connection broke';

/** Whether nothing came back, for whatever reason. */
export function isUnanswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' && outcome.answer === undefined;
}

/** Whether the connection broke; a timeout does not count. */
export function isBroken({ outcome }: Exchange): boolean {
  return outcome.kind === 'uncertain' && outcome.reason.startsWith(CONNECTION_BROKE);
}

/** Whether the connection broke before any part of an answer arrived. */
export function isHungUp(exchange: Exchange): boolean {
  return isUnanswered(exchange) && isBroken(exchange);
}

export const COUNTERPART_WITHHELD = 'it would cost a completion, and this run allows none';

/** Whether it is a counterpart that was not sent because the run allows no completions. */
export function isWithheldCounterpart({ outcome }: Exchange): boolean {
  return outcome.kind === 'not-sent' && outcome.reason === COUNTERPART_WITHHELD;
}
