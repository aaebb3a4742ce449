import { randomUUID } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';
import OpenAI, { APIError } from 'tested-client';
import { callerScenarioNames, type CallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import { broken, type CallerBehaviour, faithful, type ProofCaller } from './proof-caller.ts';
import { concurrently, type ProofClient } from './proof-client.ts';

/** How a program uses an SDK: with how many retries, and whether with a fresh key for each call. */
interface Usage {
  readonly maxRetries: number;
  readonly hasKeys: boolean;
}

/** Asks for one item; resolves with whether the program may go on. */
type Ask = (
  client: ProofClient,
  item: TaskItem,
  model: string,
  usage: Usage,
) => Promise<'served' | 'refused' | 'uncertain'>;

const askOpenAI: Ask = async ({ inputs }, { text, maxTokens }, model, { maxRetries, hasKeys }) => {
  const { baseUrl: baseURL, apiKey, timeoutMs: timeout } = inputs;
  const openai = new OpenAI({ baseURL, apiKey, timeout, maxRetries });
  const messages = [{ role: 'user' as const, content: text }];
  const headers = hasKeys ? { 'Idempotency-Key': randomUUID() } : {};
  try {
    await openai.chat.completions.create({ model, messages, max_tokens: maxTokens }, { headers });
    return 'served';
  } catch (error) {
    return error instanceof APIError && typeof error.code === 'string' ? 'refused' : 'uncertain';
  }
};

const askAiSdk: Ask = async ({ inputs }, { text, maxTokens }, model, { maxRetries, hasKeys }) => {
  const { baseUrl: baseURL, apiKey, timeoutMs } = inputs;
  const provider = createOpenAICompatible({ name: 'service', baseURL, apiKey });
  const headers = hasKeys ? { 'Idempotency-Key': randomUUID() } : {};
  try {
    await generateText({
      model: provider(model),
      prompt: text,
      maxOutputTokens: maxTokens,
      maxRetries,
      headers,
      abortSignal: AbortSignal.timeout(timeoutMs),
    });
    return 'served';
  } catch (error) {
    return String(error).includes('"code"') ? 'refused' : 'uncertain';
  }
};

/** A pool over all items that goes on whatever comes. */
function pool(ask: Ask, usage: Usage): CallerBehaviour {
  return async (client, items, atOnce) => {
    const [model] = await client.models();
    await concurrently(items, atOnce, (item) => ask(client, item, model, usage));
  };
}

/** One item after the other, until the first that was not served; images are left out. */
function careful(ask: Ask): CallerBehaviour {
  return async (client, items) => {
    const [model] = await client.models();
    for (const item of items)
      if (item.image === undefined && (await ask(client, item, model, CAREFUL)) !== 'served') return;
  };
}

const CAREFUL: Usage = { maxRetries: 0, hasKeys: true };
const RETRYING: Usage = { maxRetries: 2, hasKeys: true };
const DEFAULTS: Usage = { maxRetries: 2, hasKeys: false };

const TEXTS: readonly CallerScenarioName[] = callerScenarioNames().filter(
  (name) => !name.startsWith('image-'),
);

const SDKS = { openai: askOpenAI, 'ai-sdk': askAiSdk };

/** SDKs as they are used: with their defaults, with their retries and keys, and with care. */
export const SDK_CALLERS: readonly ProofCaller[] = Object.entries(SDKS).flatMap(([name, ask]) => [
  broken(
    `${name}-with-its-defaults`,
    'charged-and-lost',
    ['IDEM-1', 'CALL-2', 'CALL-6'],
    pool(ask, DEFAULTS),
  ),
  broken(
    `${name}-retries-a-lost-answer`,
    'lost-before-reservation',
    ['CALL-2', 'CALL-6'],
    pool(ask, RETRYING),
  ),
  broken(`${name}-retries-a-page`, 'html-answer', ['CALL-2', 'CALL-6'], pool(ask, RETRYING)),
  broken(`${name}-sleeps-in-its-slot`, 'rate-limited', ['CALL-1', 'CALL-6'], pool(ask, RETRYING)),
  broken(`${name}-retries-while-unavailable`, 'unavailable', ['CALL-6'], pool(ask, RETRYING)),
  faithful(`${name}-with-care`, TEXTS, careful(ask)),
]);
