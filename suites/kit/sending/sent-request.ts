import { randomUUID } from 'node:crypto';
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

/** Whether a service might make a completion of it, and charge for it, be it rightly or not. */
export function isChargeable({ method }: Pick<SentRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

const ASKED = /"max_(?:output_)?tokens"\s*:\s*(\d+(?:\.\d+)?(?:e\+?\d+)?)/i;

/** The output tokens a body asks for; 0 when it does not say. */
export function askedOutput(body: Uint8Array | string | undefined): number {
  const text = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('latin1');
  const found = ASKED.exec(text);
  return found === null ? 0 : Number(found[1]);
}
