import { hash } from 'node:crypto';
import type { ReceivedRequest } from '../protocol/answer.ts';

/** The values drawn for one request. */
export interface Identity {
  readonly requestId: string;
  /** In hexadecimal: its IDs are parts of it. */
  readonly digest: string;
  /** 32 bits, equal for equal seeds and bodies: the same question gets the same text. */
  readonly word: number;
  /** SHA-256 of the body, in hexadecimal. */
  readonly bodyDigest: string;
}

/** Keeps neighbouring seeds from drawing similar words. */
const SPREAD = 0x9e3779b1;
const EMPTY = Buffer.alloc(0);

/**
 * Hashes the seed, everything that the service reads of the request, and which occurrence of exactly that request it
 * is. So equal requests get equal bytes in any order, and no two answers share an ID (ERR-2).
 */
export function identify(seed: number, occurrences: Occurrences, request: ReceivedRequest): Identity {
  const bodyDigest = hash('sha256', request.body ?? EMPTY, 'hex');
  const { method, url, authorization, idempotencyKey, contentType, contentEncoding, fault } = request;
  const head = `${method} ${url}\n${authorization}\n${idempotencyKey}\n${contentType}\n${contentEncoding}${fault === undefined ? '' : `\n${fault}`}`;
  const exact = hash('sha256', `${seed}\n${head}\n${bodyDigest}`, 'hex');
  const occurrence = occurrences.next(exact);
  const digest = occurrence === 0 ? exact : hash('sha256', `${exact} ${occurrence}`, 'hex');
  const word = Number.parseInt(bodyDigest.slice(0, 8), 16) ^ Math.imul(seed, SPREAD);
  return { requestId: requestIdOf(digest), digest, word, bodyDigest };
}

export function requestIdOf(digest: string): string {
  return `req_${digest.slice(0, 24)}`;
}

export function completionIdOf(digest: string): string {
  return `chatcmpl-${digest.slice(24, 48)}`;
}

/** Hexadecimal digits that fit a whole number: a Map of numbers costs half as much as one of strings. */
const DIGITS = 13;

/**
 * Counts how often each request arrived. A request never gets the same number twice (ERR-2). Numbers do not depend on the
 * requests in between, for the first 131,072 different requests.
 */
export class Occurrences {
  readonly #remembered: number;
  #counts = new Map<number, number>();
  /** No forgotten request was counted higher, so a forgotten request that comes again starts here. */
  #floor = 0;

  constructor(remembered = 131_072) {
    this.#remembered = remembered;
  }

  /** Takes the digest of a request, in hexadecimal. */
  next(digest: string): number {
    const key = Number.parseInt(digest.slice(0, DIGITS), 16);
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= this.#remembered) this.#forget();
    const occurrence = known ?? this.#floor;
    this.#counts.set(key, occurrence + 1);
    return occurrence;
  }

  #forget(): void {
    for (const count of this.#counts.values()) this.#floor = Math.max(this.#floor, count);
    this.#counts = new Map();
  }
}
