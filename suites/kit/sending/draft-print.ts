import { hash } from 'node:crypto';
import type { Draft } from '../draft.ts';
import { PRIMARY } from '../exchange.ts';

/** A name for what a draft sends: equal for drafts whose requests differ in nothing but their Idempotency-Key. */
export function draftPrint({ method, path, credential = PRIMARY, body = '' }: Draft): string {
  const head = Buffer.from(`${method} ${path} ${JSON.stringify(credential)}\n`);
  return hash('sha256', Buffer.concat([head, Buffer.from(body)]), 'hex').slice(0, 12);
}
