import { randomUUID, hash } from 'node:crypto';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Draft } from '../model/draft.ts';
import { PRIMARY, type SentRequest } from '../model/exchange.ts';

/** The request a draft stands for, with a fresh Idempotency-Key where it wants one (IDEM-1). */
export function sentRequest(draft: Draft): SentRequest {
  const key = idempotencyKeyOf(draft);
  return {
    method: draft.method,
    path: draft.path,
    headers: { ...draft.headers, ...(key !== undefined && { [HEADERS.idempotencyKey]: key }) },
    credential: draft.credential ?? PRIMARY,
    body: typeof draft.body === 'string' ? Buffer.from(draft.body) : draft.body,
  };
}

function idempotencyKeyOf(draft: Draft): string | undefined {
  const wish = draft.idempotencyKey ?? (draft.method === 'GET' ? 'none' : 'fresh');
  if (wish === 'none') return undefined;
  return wish === 'fresh' ? randomUUID() : wish.exactly;
}

const ASKED = /"max_(?:output_)?tokens"\s*:\s*(\d+(?:\.\d+)?(?:e\+?\d+)?)/i;

/** The output tokens a body asks for; 0 when it does not say. */
export function askedOutput(body: Uint8Array | string | undefined): number {
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('latin1');
  const found = ASKED.exec(text);
  return found === null ? 0 : Number(found[1]);
}

const prints = new WeakMap<Draft, string>();

/**
 * A name for what a draft sends: equal for drafts whose requests differ in nothing but their Idempotency-Key. Made once
 * per draft.
 */
export function requestFingerprint(draft: Draft): string {
  const print = prints.get(draft) ?? printOf(draft);
  prints.set(draft, print);
  return print;
}

function printOf({ method, path, credential = PRIMARY, body = '' }: Draft): string {
  const head = `${method} ${path} ${JSON.stringify(credential)}\n`;
  const whole = typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]);
  return hash('sha256', whole, 'hex').slice(0, 12);
}
