import { hash, randomUUID } from 'node:crypto';
import type { TaskItem } from '../../caller/scenarios.ts';
import { broken, type CallerBehaviour, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Deviation, imageChatFor, type ProofClient } from './proof-client.ts';

/** How a request differs from that of a faithful caller; `chat`: other fields. */
type Differs = Deviation & { readonly chat?: object };

/** Requests the items one by one, each in a way that differs. */
function sending(
  differ: (client: ProofClient, item: TaskItem, model: string, index: number) => Differs,
): CallerBehaviour {
  return oneByOne(async (client, item, model, index) => {
    const { chat, ...deviation } = differ(client, item, model, index);
    // What is sent elsewhere is sent beside the work, not instead of it.
    if (deviation.baseUrl === client.inputs.otherBaseUrl) await client.chat(chatFor(item, model));
    await client.chat({ ...chatFor(item, model), ...chat }, deviation);
  });
}

const user = (content: unknown): Differs => ({ chat: { messages: [{ role: 'user', content }] } });

const ONE_KEY = randomUUID();
const CACHED = { cache_control: { type: 'ephemeral' } };
const SHOP = { origin: 'https://shop.example' };
const PREFLIGHT = {
  ...SHOP,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

/** Callers that are wrong in what they send, in one place each. */
export const BROKEN_REQUESTS: readonly ProofCaller[] = [
  broken(
    'no-idempotency-key',
    'plain-use',
    ['IDEM-1'],
    sending(() => ({ key: null })),
  ),
  broken(
    'key-made-from-the-body',
    'plain-use',
    ['IDEM-1'],
    sending((_, item, model) => ({ key: hash('sha256', JSON.stringify(chatFor(item, model))) })),
  ),
  broken(
    'idempotency-keys-counted-from-one',
    ['plain-use', 'charged-and-lost'],
    ['IDEM-1'],
    sending((_, __, ___, index) => ({ key: `request-${index + 1}` })),
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
    'key-in-the-address',
    'plain-use',
    ['AUTH-3'],
    sending(({ inputs }) => ({ query: `?api_key=${inputs.apiKey}` })),
  ),
  broken(
    'key-in-the-prompt',
    'plain-use',
    ['AUTH-3'],
    sending(({ inputs }, { text }) => user(`You may use ${inputs.apiKey}. ${text}`)),
  ),
  broken(
    'key-given-to-another-provider',
    'plain-use',
    ['AUTH-3'],
    sending(({ inputs }, _, __, index) => (index % 2 === 0 ? {} : { baseUrl: inputs.otherBaseUrl })),
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
  broken(
    'parameter-of-another-provider',
    'plain-use',
    ['CALL-4'],
    sending(() => ({ chat: { top_p: 0.9 } })),
  ),
  broken(
    'parameters-in-the-query',
    'plain-use',
    ['CALL-4'],
    sending(() => ({ query: '?api-version=2024-10-21&top_p=0.5' })),
  ),
  broken(
    'cache-control-in-a-part',
    'plain-use',
    ['CALL-4'],
    sending((_, { text }) => user([{ type: 'text', text, ...CACHED }])),
  ),
  broken(
    'hard-coded-model',
    'plain-use',
    ['CALL-5'],
    sending(() => ({ chat: { model: 'compact-1' } })),
  ),
  broken(
    'base-address-without-version',
    'plain-use',
    ['CALL-7'],
    sending(({ inputs }) => ({ baseUrl: inputs.baseUrl.replace('/v1', '') })),
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
