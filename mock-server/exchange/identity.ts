import { hash } from 'node:crypto';
import type { ReceivedRequest } from '../protocol/request.ts';

/** What is drawn for one request: its IDs, and the word that its text is drawn from. */
export interface Identity {
  readonly requestId: string;
  readonly completionId: string;
  /** 32 bits, the same for the same seed and body: what is asked again is answered in the same words. */
  readonly word: number;
  /** SHA-256 of the body, in hexadecimal. */
  readonly bodyDigest: string;
}

/** Keeps seeds that lie side by side from drawing alike. */
const SPREAD = 0x9e3779b1;
const EMPTY = Buffer.alloc(0);

/**
 * A hash of the seed, of everything the service looks at in the request, and of which occurrence of exactly that it
 * is: so the same requests get the same bytes whatever their order, and no two answers share an ID (ERR-2).
 */
export function identify(seed: number, occurrences: Occurrences, request: ReceivedRequest): Identity {
  const bodyDigest = hash('sha256', request.body ?? EMPTY, 'hex');
  const { method, url, authorization, idempotencyKey, contentType, contentEncoding, fault } = request;
  const head = `${method} ${url}\n${authorization}\n${idempotencyKey}\n${contentType}\n${contentEncoding}${fault === undefined ? '' : `\n${fault}`}`;
  const exact = hash('sha256', `${seed}\n${head}\n${bodyDigest}`, 'hex');
  const occurrence = occurrences.next(word(exact, 0), word(exact, 8));
  const digest = occurrence === 0 ? exact : hash('sha256', `${exact} ${occurrence}`, 'hex');
  return {
    requestId: `req_${digest.slice(0, 24)}`,
    completionId: `chatcmpl-${digest.slice(24, 48)}`,
    word: word(bodyDigest, 0) ^ Math.imul(seed, SPREAD),
    bodyDigest,
  };
}

/** 32 bits of a digest in hexadecimal. */
function word(digest: string, at: number): number {
  return Number.parseInt(digest.slice(at, at + 8), 16);
}

const SLOTS_AT_FIRST = 1024;
const REMEMBERED = 131_072;

/**
 * Which occurrence of exactly this request is this one? Numbers for one request never repeat (ERR-2), and do not
 * depend on what other requests came between, for the first 131,072 different ones.
 *
 * An open hash table over 64 bits of the request's digest, in flat arrays: a Map of as many strings costs three
 * times what the rest of a completion does, most of it in the garbage collector.
 */
export class Occurrences {
  readonly #remembered: number;
  /** Two words of a digest and its count, for each slot; a count of 0 is a free slot. */
  #slots: Uint32Array = new Uint32Array(SLOTS_AT_FIRST * 3);
  #used = 0;
  /** No forgotten request was ever counted higher: one that comes again starts here. */
  #floor = 0;

  constructor(remembered = REMEMBERED) {
    this.#remembered = remembered;
  }

  /** Both words are 32 bits of the same digest. */
  next(high: number, low: number): number {
    if (this.#used * 6 >= this.#slots.length) this.#makeRoom();
    const at = find(this.#slots, high, low);
    const count = this.#slots[at + 2] ?? 0;
    if (count === 0) this.#used += 1;
    const occurrence = Math.max(count, this.#floor);
    write(this.#slots, at, high, low, occurrence + 1);
    return occurrence;
  }

  #makeRoom(): void {
    const past = this.#slots;
    if (this.#used >= this.#remembered) this.#forget();
    else this.#slots = grown(past);
  }

  #forget(): void {
    for (let at = 2; at < this.#slots.length; at += 3)
      this.#floor = Math.max(this.#floor, this.#slots[at] ?? 0);
    this.#slots = new Uint32Array(SLOTS_AT_FIRST * 3);
    this.#used = 0;
  }
}

/** Where a digest is, or the free slot where it would be. */
function find(slots: Uint32Array, high: number, low: number): number {
  const last = slots.length - 3;
  let at = (low % (slots.length / 3)) * 3;
  while (slots[at + 2] !== 0 && (slots[at] !== high || slots[at + 1] !== low)) at = at === last ? 0 : at + 3;
  return at;
}

function write(slots: Uint32Array, at: number, high: number, low: number, count: number): void {
  slots[at] = high;
  slots[at + 1] = low;
  slots[at + 2] = count;
}

function grown(past: Uint32Array): Uint32Array {
  const slots = new Uint32Array(past.length * 2);
  for (let at = 0; at < past.length; at += 3) {
    const high = past[at] ?? 0;
    const low = past[at + 1] ?? 0;
    const count = past[at + 2] ?? 0;
    if (count > 0) write(slots, find(slots, high, low), high, low, count);
  }
  return slots;
}
