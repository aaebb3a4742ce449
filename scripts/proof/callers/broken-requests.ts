import { randomUUID } from 'node:crypto';
import type { StartCaller } from '../../caller/start-command.ts';
import { doing, oneByOne, type ProofCallers } from './proof-caller.ts';
import { chatFor, type Deviation, imageChatFor, type ProofClient } from './proof-client.ts';

/** Requests the items one by one, each in a way that differs. */
const sending = (differ: (client: ProofClient, index: number) => Deviation): StartCaller =>
  oneByOne((client, item, index) => client.chat(chatFor(item), differ(client, index)));

/** Sends each item to another provider too. */
const toTwoProviders = oneByOne(async (client, item) => {
  await client.chat(chatFor(item));
  await client.chat(chatFor(item), { baseUrl: client.inputs.otherBaseUrl });
});

const SHOP = { origin: 'https://shop.example' };
const PREFLIGHT = {
  ...SHOP,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

const twiceAtOnce = oneByOne((client, item) => {
  const key = randomUUID();
  return Promise.all([1, 2].map(() => client.chat(chatFor(item), { key })));
});

const twiceWithOneKey = oneByOne(async (client, item) => {
  const key = randomUUID();
  for (let n = 0; n < 2; n += 1) await client.chat(chatFor(item), { key });
});

const forgetsItsKey = oneByOne(async (client, item) => {
  const { kind } = await client.chat(chatFor(item));
  client.record(item, kind === 'lost' ? 'uncertain' : kind);
});

const fromABrowser = oneByOne(async (client, item) => {
  await fetch(`${client.inputs.baseUrl}/chat/completions`, { method: 'OPTIONS', headers: PREFLIGHT });
  await client.chat(chatFor(item), { headers: SHOP });
});

const imageUnasked = doing(async (client, items) => {
  const model = (await client.list('models')).find(({ id }) => id.startsWith('vista'));
  for (const item of items) await client.chat(imageChatFor(item, model?.id));
});

const imageWhateverTheAnswer = oneByOne(async (client, item) => {
  const [first] = await client.list('vision-capabilities');
  await client.chat(imageChatFor(item, first?.id));
});

/** Callers that are wrong in what they send, in one place each. */
export const BROKEN_REQUESTS: ProofCallers = {
  'no-idempotency-key': ['plain-use', sending(() => ({ key: null })), 'IDEM-1'],
  'idempotency-keys-counted-from-one': [
    ['plain-use', 'charged-and-lost'],
    sending((_, index) => ({ key: `request-${index + 1}` })),
    'IDEM-1',
  ],
  'same-request-twice-at-once': ['plain-use', twiceAtOnce, 'IDEM-1'],
  'everything-twice-with-one-key': [
    ['plain-use', 'token-limit', 'charged-and-lost', 'unavailable'],
    twiceWithOneKey,
    'IDEM-1',
  ],
  'idempotency-key-forgotten': ['unavailable', forgetsItsKey, 'IDEM-2'],
  'key-in-the-address': [
    'plain-use',
    sending(({ inputs }) => ({ query: `?api_key=${inputs.apiKey}` })),
    'AUTH-3',
  ],
  'key-given-to-another-provider': ['plain-use', toTwoProviders, 'AUTH-3'],
  'key-in-a-browser': ['plain-use', fromABrowser, 'AUTH-3'],
  'parameter-of-another-provider': ['plain-use', sending(() => ({ chat: { top_p: 0.9 } })), 'CALL-4'],
  'hard-coded-model': ['plain-use', sending(() => ({ chat: { model: 'compact-1' } })), 'CALL-5'],
  'base-address-without-version': [
    'plain-use',
    sending(({ inputs }) => ({ baseUrl: inputs.baseUrl.replace('/v1', '') })),
    'CALL-7',
  ],
  'image-sent-unasked': ['image-with-vision', imageUnasked, 'VIS-2'],
  'vision-answer-ignored': ['image-without-vision', imageWhateverTheAnswer, 'VIS-2'],
};
