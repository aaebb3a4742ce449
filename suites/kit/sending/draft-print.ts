import { hash } from 'node:crypto';
import type { Draft } from '../model/draft.ts';
import { PRIMARY } from '../model/exchange.ts';

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
