import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { OpenAI } from 'openai';
import { HEADERS } from '../../fixtures/chats/wire.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import type { Sender } from '../kit/model/stimulus.ts';
import { CLIENT_BASE_URL, fetchThrough } from './fetch-through.ts';

/** The release that the specification names (VER-2, CALL-6). */
const TESTED_RELEASE = '7.23.0';

const require = createRequire(import.meta.url);

/** Why the tested client cannot be run here; undefined when it can. */
export function lacksTestedClient(): string | undefined {
  const install = `install it with: npm install openai@${TESTED_RELEASE}`;
  try {
    const { VERSION }: { VERSION?: unknown } = require('openai/version');
    return VERSION === TESTED_RELEASE
      ? undefined
      : `openai ${String(VERSION)} is installed, not ${TESTED_RELEASE}: ${install}`;
  } catch {
    return `the tested client is not installed: ${install}`;
  }
}

/**
 * The tested client, configured as the specification says: 120000 ms, no retry. Whatever it sends goes through
 * the sender, which holds the key, and is added to `exchanges`. Nothing of the environment reaches it.
 */
export async function openTestedClient(sender: Sender, exchanges: Exchange[]): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: CLIENT_BASE_URL,
    apiKey: 'held-by-the-sender',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: 120_000,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchThrough(sender, exchanges),
  });
}

/** The options of one request: a fresh Idempotency-Key (IDEM-1), which this client does not make by itself. */
export function freshKey(): { readonly headers: Record<string, string> } {
  return { headers: { [HEADERS.idempotencyKey]: randomUUID() } };
}
