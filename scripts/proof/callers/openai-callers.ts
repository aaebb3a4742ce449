import { randomUUID } from 'node:crypto';
import OpenAI from 'tested-client';
import { broken, type CallerBehaviour, type ProofCaller } from './proof-caller.ts';
import { concurrently } from './proof-client.ts';

/** A pool over the items that goes on whatever comes, with the retries that the client makes by default. */
const pool =
  (hasKeys: boolean): CallerBehaviour =>
  async ({ inputs }, items, atOnce) => {
    const { baseUrl: baseURL, apiKey, timeoutMs: timeout } = inputs;
    const openai = new OpenAI({ baseURL, apiKey, timeout });
    const model = (await openai.models.list()).data[0]?.id ?? '';
    await concurrently(items, atOnce, async ({ text, maxTokens }) => {
      const messages = [{ role: 'user' as const, content: text }];
      const headers = hasKeys ? { 'Idempotency-Key': randomUUID() } : {};
      const chat = { model, messages, max_tokens: maxTokens };
      await openai.chat.completions.create(chat, { headers }).catch(() => undefined);
    });
  };

/** The tested client, not configured as the specification asks. */
export const OPENAI_CALLERS: readonly ProofCaller[] = [
  broken(
    'openai-with-its-defaults',
    ['plain-use', 'charged-and-lost'],
    ['IDEM-1', 'CALL-2', 'CALL-6'],
    pool(false),
  ),
  broken('openai-sleeps-in-its-slot', 'rate-limited', ['CALL-1', 'CALL-6'], pool(true)),
];
