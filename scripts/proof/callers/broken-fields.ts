import { createHash } from 'node:crypto';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { TaskItem } from '../../caller/scenarios.ts';
import { broken, brokenOneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Deviation, type ProofClient } from './proof-client.ts';

/** What a caller sends with each item beyond the five fields. */
const FIELDS: Readonly<Record<string, unknown>> = {
  n: 1,
  stop: ['\n'],
  seed: 7,
  user: 'shop-1',
  max_completion_tokens: 16,
  response_format: { type: 'text' },
  frequency_penalty: 0,
  reasoning_effort: 'low',
  metadata: {},
  parallel_tool_calls: false,
  safe_prompt: true,
  extra_body: null,
};

/** What a caller writes into a message or a part of it. */
const MESSAGES: Readonly<Record<string, (text: string) => object>> = {
  'cache-control-in-a-message': (content) => ({
    role: 'user',
    content,
    cache_control: { type: 'ephemeral' },
  }),
  'reasoning-in-a-message': (content) => ({ role: 'user', content, reasoning_content: '' }),
  'cache-control-in-a-part': (text) => ({
    role: 'user',
    content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
  }),
  'provider-options-in-a-message': (content) => ({ role: 'user', content, providerOptions: {} }),
};

const BROKEN_FIELDS: readonly ProofCaller[] = [
  ...Object.entries(FIELDS).map(([name, value]) =>
    brokenOneByOne(`sends-${name.replaceAll('_', '-')}`, 'plain-use', ['CALL-4'], (client, item, model) =>
      client.chat({ ...chatFor(item, model), [name]: value }),
    ),
  ),
  ...Object.entries(MESSAGES).map(([name, message]) =>
    brokenOneByOne(name, 'plain-use', ['CALL-4'], (client, item, model) =>
      client.chat({ ...chatFor(item, model), messages: [message(item.text)] }),
    ),
  ),
];

type Deviate = (client: ProofClient, item: TaskItem, model: string, index: number) => Deviation;

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How each request of a caller differs from those of a faithful one. */
const DEVIATIONS: Readonly<Record<string, readonly [ClauseId, Deviate]>> = {
  'key-made-from-the-body': [
    'IDEM-1',
    (_, item, model) => ({ key: sha(JSON.stringify(chatFor(item, model))) }),
  ],
  'key-made-from-the-text': ['IDEM-1', (_, { text }) => ({ key: sha(text).slice(0, 16) })],
  'key-is-the-model': ['IDEM-1', (_, __, model) => ({ key: model })],
  'key-of-the-day': ['IDEM-1', () => ({ key: '2026-11-22' })],
  'empty-key': ['IDEM-1', () => ({ key: '' })],
  'no-key-for-streams': ['IDEM-1', (_, { stream }) => (stream ? { key: null } : {})],
  'key-shared-by-two': ['IDEM-1', (_, __, model, index) => ({ key: `${model}-${Math.floor(index / 2)}` })],
  'base-address-v2': ['CALL-7', ({ inputs }) => ({ baseUrl: inputs.baseUrl.replace(/v1$/, 'v2') })],
  'base-address-v1beta': ['CALL-7', ({ inputs }) => ({ baseUrl: `${inputs.baseUrl}beta` })],
  'base-address-of-another-convention': [
    'CALL-7',
    ({ inputs }) => ({ baseUrl: inputs.baseUrl.replace(/v1$/, 'openai/v1') }),
  ],
  'base-address-with-a-double-slash': ['CALL-7', ({ inputs }) => ({ baseUrl: `${inputs.baseUrl}/` })],
  'api-version-in-the-query': ['CALL-4', () => ({ query: '?api-version=2024-10-21' })],
  'key-in-the-query-as-token': ['AUTH-3', ({ inputs }) => ({ query: `?token=${inputs.apiKey}` })],
  'key-in-base64-elsewhere': [
    'AUTH-3',
    ({ inputs }) => ({
      ...elsewhere(inputs),
      headers: { 'x-upstream': Buffer.from(inputs.apiKey).toString('base64') },
    }),
  ],
  'key-in-hex-elsewhere': [
    'AUTH-3',
    ({ inputs }) => ({
      ...elsewhere(inputs),
      headers: { 'x-upstream': Buffer.from(inputs.apiKey).toString('hex') },
    }),
  ],
  'key-as-a-password-elsewhere': [
    'AUTH-3',
    ({ inputs }) => ({
      baseUrl: inputs.otherBaseUrl,
      headers: { authorization: `Basic ${Buffer.from(`user:${inputs.apiKey}`).toString('base64')}` },
    }),
  ],
};

function elsewhere(inputs: ProofClient['inputs']): Deviation {
  return { baseUrl: inputs.otherBaseUrl, apiKey: inputs.otherApiKey };
}

const BROKEN_DEVIATIONS: readonly ProofCaller[] = Object.entries(DEVIATIONS).map(
  ([name, [clause, deviate]]) =>
    brokenOneByOne(name, 'plain-use', [clause], async (client, item, model, index) => {
      const deviation = deviate(client, item, model, index);
      // What is sent elsewhere is sent beside the work, not instead of it.
      if (deviation.baseUrl?.includes('elsewhere') === true) await client.chat(chatFor(item, model));
      await client.chat(chatFor(item, model), deviation);
    }),
);

/** Where a caller has its model from. */
const MODELS: Readonly<Record<string, (client: ProofClient) => Promise<string> | string>> = {
  'model-from-a-price-list': () => 'gpt-4o-mini',
  'model-in-capitals': async (client) => (await client.models())[0].toUpperCase(),
  'model-with-a-provider-in-front': async (client) => `service/${(await client.models())[0]}`,
  'model-without-its-release': async (client) => (await client.models())[0].replace(/-[^-]+$/, ''),
  'model-of-another-provider': ({ inputs }) => listElsewhere(inputs),
};

async function listElsewhere({ otherBaseUrl, otherApiKey }: ProofClient['inputs']): Promise<string> {
  const headers = { authorization: `Bearer ${otherApiKey}` };
  const answer = await fetch(`${otherBaseUrl}/models`, { headers });
  const { data }: { data: { id: string }[] } = JSON.parse(await answer.text());
  return `${data[0]?.id}-elsewhere`;
}

const BROKEN_MODELS: readonly ProofCaller[] = Object.entries(MODELS).map(([name, modelOf]) =>
  broken(name, 'plain-use', ['CALL-5'], async (client, items) => {
    const model = await modelOf(client);
    for (const item of items) await client.chat(chatFor(item, model));
  }),
);

/** Callers that are wrong in what they send, in one place each. */
export const BROKEN_IN_PLAIN_USE: readonly ProofCaller[] = [
  ...BROKEN_FIELDS,
  ...BROKEN_DEVIATIONS,
  ...BROKEN_MODELS,
];
