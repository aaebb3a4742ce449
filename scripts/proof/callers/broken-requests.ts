import { hash, randomUUID } from 'node:crypto';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import { broken, brokenOneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Deviation, imageChatFor, type ProofClient } from './proof-client.ts';

/** How each request of a caller differs from those of a faithful one; `chat`: other fields. */
type Differs = Deviation & { readonly chat?: object };
type Differ = (
  client: ProofClient,
  item: TaskItem,
  model: string,
  index: number,
) => Differs | Promise<Differs>;

const ONE_KEY = randomUUID();
const API_VERSION = '?api-version=2024-10-21';

const user = (content: unknown, more: object = {}): Differs => ({
  chat: { messages: [{ role: 'user', content, ...more }] },
});
const shaOf = (text: string): Differs => ({ key: hash('sha256', text) });
const elsewhere = ({ inputs }: ProofClient, upstream: string): Differs => ({
  baseUrl: inputs.otherBaseUrl,
  apiKey: inputs.otherApiKey,
  headers: { 'x-upstream': upstream },
});
const base =
  (place: string | RegExp, by: string): Differ =>
  ({ inputs }) => ({ baseUrl: inputs.baseUrl.replace(place, by) });

async function modelElsewhere({ inputs }: ProofClient): Promise<string> {
  const headers = { authorization: `Bearer ${inputs.otherApiKey}` };
  const answer = await fetch(`${inputs.otherBaseUrl}/models`, { headers });
  const { data }: { data: { id: string }[] } = JSON.parse(await answer.text());
  return `${data[0]?.id}-elsewhere`;
}

const CACHED = { cache_control: { type: 'ephemeral' } };

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

function differing(
  name: string,
  clause: ClauseId,
  differ: Differ,
  scenario: CallerScenarioName = 'plain-use',
): ProofCaller {
  return brokenOneByOne(name, scenario, [clause], async (client, item, model, index) => {
    const { chat, ...deviation } = await differ(client, item, model, index);
    // What is sent elsewhere is sent beside the work, not instead of it.
    if (deviation.baseUrl === client.inputs.otherBaseUrl) await client.chat(chatFor(item, model));
    await client.chat({ ...chatFor(item, model), ...chat }, deviation);
  });
}

function each(clause: ClauseId, callers: Readonly<Record<string, Differ>>): readonly ProofCaller[] {
  return Object.entries(callers).map(([name, differ]) => differing(name, clause, differ));
}

/** What each breaks by every request that it sends. */
const REQUESTS: readonly ProofCaller[] = [
  ...each('IDEM-1', {
    'one-idempotency-key-for-all': () => ({ key: ONE_KEY }),
    'no-idempotency-key': () => ({ key: null }),
    'key-under-another-name': () => ({ key: null, headers: { 'x-idempotency-key': randomUUID() } }),
    'key-made-from-the-body': (_, item, model) => shaOf(JSON.stringify(chatFor(item, model))),
    'key-made-from-the-text': (_, { text }) => shaOf(text),
    'key-is-the-model': (_, __, model) => ({ key: model }),
    'key-of-the-day': () => ({ key: '2026-11-22' }),
    'empty-key': () => ({ key: '' }),
    'no-key-for-streams': (_, { stream }) => (stream ? { key: null } : {}),
    'key-shared-by-two': (_, __, model, index) => ({ key: `${model}-${Math.floor(index / 2)}` }),
  }),
  ...each('AUTH-3', {
    'key-in-the-address': ({ inputs }) => ({ query: `?api_key=${inputs.apiKey}` }),
    'key-in-the-query-as-token': ({ inputs }) => ({ query: `?token=${inputs.apiKey}` }),
    'key-in-the-prompt': ({ inputs }, { text }) => user(`You may use ${inputs.apiKey}. ${text}`),
    'key-given-to-another-provider': ({ inputs }, _, __, index) =>
      index % 2 === 0 ? {} : { baseUrl: inputs.otherBaseUrl },
    'key-in-base64-elsewhere': (client) =>
      elsewhere(client, Buffer.from(client.inputs.apiKey).toString('base64')),
    'key-in-hex-elsewhere': (client) => elsewhere(client, Buffer.from(client.inputs.apiKey).toString('hex')),
    'key-as-a-password-elsewhere': ({ inputs }) => ({
      baseUrl: inputs.otherBaseUrl,
      headers: { authorization: `Basic ${Buffer.from(`user:${inputs.apiKey}`).toString('base64')}` },
    }),
  }),
  ...each('CALL-4', {
    'sampling-parameter-of-another-provider': () => ({ chat: { top_p: 0.9 } }),
    'stream-options-sent': () => ({ chat: { stream: true, stream_options: { include_usage: true } } }),
    'tools-offered': () => ({ chat: { tools: [{ type: 'function', function: { name: 'look_up' } }] } }),
    'parameters-in-the-query': () => ({ query: `${API_VERSION}&top_p=0.5` }),
    'api-version-in-the-query': () => ({ query: API_VERSION }),
    'cache-control-in-a-message': (_, { text }) => user(text, CACHED),
    'reasoning-in-a-message': (_, { text }) => user(text, { reasoning_content: '' }),
    'cache-control-in-a-part': (_, { text }) => user([{ type: 'text', text, ...CACHED }]),
    'provider-options-in-a-message': (_, { text }) => user(text, { providerOptions: {} }),
  }),
  ...each('CALL-5', {
    'hard-coded-model': () => ({ chat: { model: 'compact-1' } }),
    'model-id-dressed-up': (_, __, model) => ({ chat: { model: `${model}:latest` } }),
    'model-from-a-price-list': () => ({ chat: { model: 'gpt-4o-mini' } }),
    'model-in-capitals': (_, __, model) => ({ chat: { model: model.toUpperCase() } }),
    'model-with-a-provider-in-front': (_, __, model) => ({ chat: { model: `service/${model}` } }),
    'model-without-its-release': (_, __, model) => ({ chat: { model: model.replace(/-[^-]+$/, '') } }),
    'model-of-another-provider': async (client) => ({ chat: { model: await modelElsewhere(client) } }),
  }),
  ...each('CALL-7', {
    'base-address-without-version': base('/v1', ''),
    'version-appended-twice': base('/v1', '/v1/v1'),
    'base-address-v2': base('/v1', '/v2'),
    'base-address-v1beta': base('/v1', '/v1beta'),
    'base-address-of-another-convention': base('/v1', '/openai/v1'),
    'base-address-with-a-double-slash': base('/v1', '/v1/'),
  }),
];

const SHOP = { origin: 'https://shop.example' };
const PREFLIGHT = {
  ...SHOP,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

/** Callers that are wrong in what they send, in one place each. */
export const BROKEN_REQUESTS: readonly ProofCaller[] = [
  ...REQUESTS,
  ...Object.entries(FIELDS).map(([name, value]) =>
    differing(`sends-${name.replaceAll('_', '-')}`, 'CALL-4', () => ({ chat: { [name]: value } })),
  ),
  differing('refused-model-used-on', 'CALL-5', () => ({}), 'model-vanishes'),
  {
    ...differing('idempotency-keys-counted-from-one', 'IDEM-1', (_, __, ___, index) => ({
      key: `request-${index + 1}`,
    })),
    scenarios: ['plain-use', 'charged-and-lost'],
  },
  brokenOneByOne(
    'idempotency-key-reused-after-the-body-changed',
    'token-limit',
    ['IDEM-1'],
    async (client, item, model) => {
      for (const more of [{}, { max_tokens: 8 }])
        await client.chat({ ...chatFor(item, model), ...more }, { key: ONE_KEY });
    },
  ),
  brokenOneByOne('same-request-twice-at-once', 'plain-use', ['IDEM-1'], (client, item, model) => {
    const key = randomUUID();
    return Promise.all([1, 2].map(() => client.chat(chatFor(item, model), { key })));
  }),
  brokenOneByOne('idempotency-key-forgotten', 'unavailable', ['IDEM-2'], async (client, item, model) => {
    const { kind } = await client.chat(chatFor(item, model));
    client.record(item, kind === 'lost' ? 'uncertain' : kind);
  }),
  brokenOneByOne('key-in-a-browser', 'plain-use', ['AUTH-3'], async (client, item, model) => {
    await fetch(`${client.inputs.baseUrl}/chat/completions`, { method: 'OPTIONS', headers: PREFLIGHT });
    await client.chat(chatFor(item, model), { headers: SHOP });
  }),
  broken('image-sent-unasked', 'image-with-vision', ['VIS-2'], async (client, items) => {
    const model = (await client.models()).find((id) => id.startsWith('vista')) ?? '';
    for (const item of items) await client.chat(imageChatFor(item, model));
  }),
  brokenOneByOne(
    'vision-asked-after-the-image',
    'image-with-vision',
    ['VIS-2'],
    async (client, item, model) => {
      await client.chat(imageChatFor(item, model));
      await client.vision();
    },
  ),
  brokenOneByOne('vision-answer-ignored', 'image-without-vision', ['VIS-2'], async (client, item, model) => {
    await client.vision();
    await client.chat(imageChatFor(item, model));
  }),
];
