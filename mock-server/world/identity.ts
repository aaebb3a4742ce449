import { hash } from 'node:crypto';

import type { Occurrences } from '../time/occurrences.ts';
import type { Received } from '../http/received.ts';

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
export function identify(seed: number, occurrences: Occurrences, request: Received): Identity {
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
