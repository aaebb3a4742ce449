import { hash, randomUUID } from 'node:crypto';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { TaskItem } from '../../caller/scenarios.ts';
import { broken, oneByOne, type ProofCaller } from './proof-caller.ts';
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
const CACHED = { cache_control: { type: 'ephemeral' } };

const user = (content: unknown): Differs => ({ chat: { messages: [{ role: 'user', content }] } });

async function modelElsewhere({ inputs }: ProofClient): Promise<string> {
  const headers = { authorization: `Bearer ${inputs.otherApiKey}` };
  const answer = await fetch(`${inputs.otherBaseUrl}/models`, { headers });
  const { data }: { data: { id: string }[] } = JSON.parse(await answer.text());
  return `${data[0]?.id}-elsewhere`;
}

function differing(name: string, clause: ClauseId, differ: Differ): ProofCaller {
  const send = oneByOne(async (client, item, model, index) => {
    const { chat, ...deviation } = await differ(client, item, model, index);
    // What is sent elsewhere is sent beside the work, not instead of it.
    if (deviation.baseUrl === client.inputs.otherBaseUrl) await client.chat(chatFor(item, model));
    await client.chat({ ...chatFor(item, model), ...chat }, deviation);
  });
  return broken(name, 'plain-use', [clause], send);
}

/** In what every request of a caller is wrong, by the clause that it breaks. */
const DIFFERING: readonly (readonly [ClauseId, Readonly<Record<string, Differ>>])[] = [
  [
    'IDEM-1',
    {
      'no-idempotency-key': () => ({ key: null }),
      'key-made-from-the-body': (_, item, model) => ({
        key: hash('sha256', JSON.stringify(chatFor(item, model))),
      }),
    },
  ],
  [
    'AUTH-3',
    {
      'key-in-the-address': ({ inputs }) => ({ query: `?api_key=${inputs.apiKey}` }),
      'key-in-the-prompt': ({ inputs }, { text }) => user(`You may use ${inputs.apiKey}. ${text}`),
      'key-given-to-another-provider': ({ inputs }, _, __, index) =>
        index % 2 === 0 ? {} : { baseUrl: inputs.otherBaseUrl },
      'key-in-base64-elsewhere': ({ inputs }) => ({
        baseUrl: inputs.otherBaseUrl,
        apiKey: inputs.otherApiKey,
        headers: { 'x-upstream': Buffer.from(inputs.apiKey).toString('base64') },
      }),
    },
  ],
  [
    'CALL-4',
    {
      'sampling-parameter-of-another-provider': () => ({ chat: { top_p: 0.9 } }),
      'parameters-in-the-query': () => ({ query: '?api-version=2024-10-21&top_p=0.5' }),
      'cache-control-in-a-part': (_, { text }) => user([{ type: 'text', text, ...CACHED }]),
    },
  ],
  [
    'CALL-5',
    {
      'hard-coded-model': () => ({ chat: { model: 'compact-1' } }),
      'model-of-another-provider': async (client) => ({ chat: { model: await modelElsewhere(client) } }),
    },
  ],
  [
    'CALL-7',
    {
      'base-address-without-version': ({ inputs }) => ({ baseUrl: inputs.baseUrl.replace('/v1', '') }),
    },
  ],
];

const SHOP = { origin: 'https://shop.example' };
const PREFLIGHT = {
  ...SHOP,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

/** Callers that are wrong in what they send, in one place each. */
export const BROKEN_REQUESTS: readonly ProofCaller[] = [
  ...DIFFERING.flatMap(([clause, callers]) =>
    Object.entries(callers).map(([name, differ]) => differing(name, clause, differ)),
  ),
  broken(
    'idempotency-keys-counted-from-one',
    ['plain-use', 'charged-and-lost'],
    ['IDEM-1'],
    oneByOne((client, item, model, index) =>
      client.chat(chatFor(item, model), { key: `request-${index + 1}` }),
    ),
  ),
  broken(
    'idempotency-key-reused-after-the-body-changed',
    'token-limit',
    ['IDEM-1'],
    oneByOne(async (client, item, model) => {
      for (const more of [{}, { max_tokens: 8 }])
        await client.chat({ ...chatFor(item, model), ...more }, { key: ONE_KEY });
    }),
  ),
  broken(
    'same-request-twice-at-once',
    'plain-use',
    ['IDEM-1'],
    oneByOne((client, item, model) => {
      const key = randomUUID();
      return Promise.all([1, 2].map(() => client.chat(chatFor(item, model), { key })));
    }),
  ),
  broken(
    'idempotency-key-forgotten',
    'unavailable',
    ['IDEM-2'],
    oneByOne(async (client, item, model) => {
      const { kind } = await client.chat(chatFor(item, model));
      client.record(item, kind === 'lost' ? 'uncertain' : kind);
    }),
  ),
  broken(
    'key-in-a-browser',
    'plain-use',
    ['AUTH-3'],
    oneByOne(async (client, item, model) => {
      await fetch(`${client.inputs.baseUrl}/chat/completions`, { method: 'OPTIONS', headers: PREFLIGHT });
      await client.chat(chatFor(item, model), { headers: SHOP });
    }),
  ),
  broken('image-sent-unasked', 'image-with-vision', ['VIS-2'], async (client, items) => {
    const model = (await client.models()).find((id) => id.startsWith('vista')) ?? '';
    for (const item of items) await client.chat(imageChatFor(item, model));
  }),
  broken(
    'vision-answer-ignored',
    'image-without-vision',
    ['VIS-2'],
    oneByOne(async (client, item, model) => {
      await client.vision();
      await client.chat(imageChatFor(item, model));
    }),
  ),
];
