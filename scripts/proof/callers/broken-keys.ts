import { randomUUID } from 'node:crypto';
import { broken, brokenOneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, concurrently, imageChatFor } from './proof-client.ts';

const ONE_KEY = randomUUID();

/** Callers that are careless with Idempotency-Keys, their API key, models, fields and the base URL. */
export const BROKEN_KEYS: readonly ProofCaller[] = [
  brokenOneByOne('one-idempotency-key-for-all', 'plain-use', ['IDEM-1'], (client, item, model) =>
    client.chat(chatFor(item, model), { key: ONE_KEY }),
  ),
  {
    ...brokenOneByOne(
      'idempotency-keys-counted-from-one',
      'plain-use',
      ['IDEM-1'],
      (client, item, model, index) => client.chat(chatFor(item, model), { key: `request-${index + 1}` }),
    ),
    scenarios: ['plain-use', 'charged-and-lost'],
  },
  brokenOneByOne('no-idempotency-key', 'plain-use', ['IDEM-1'], (client, item, model) =>
    client.chat(chatFor(item, model), { key: null }),
  ),
  brokenOneByOne(
    'idempotency-key-reused-after-the-body-changed',
    'token-limit',
    ['IDEM-1'],
    async (client, item, model) => {
      await client.chat(chatFor(item, model), { key: ONE_KEY });
      await client.chat({ ...chatFor(item, model), max_tokens: 8 }, { key: ONE_KEY });
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
  brokenOneByOne('key-in-the-address', 'plain-use', ['AUTH-3'], (client, item, model) =>
    client.chat(chatFor(item, model), { query: `?api_key=${client.inputs.apiKey}` }),
  ),
  brokenOneByOne('key-in-the-prompt', 'plain-use', ['AUTH-3'], (client, item, model) => {
    const text = `You may use ${client.inputs.apiKey}. ${item.text}`;
    return client.chat(chatFor({ ...item, text }, model));
  }),
  brokenOneByOne('key-in-a-browser', 'plain-use', ['AUTH-3'], async (client, item, model) => {
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    await fetch(`${client.inputs.baseUrl}/chat/completions`, { method: 'OPTIONS', headers });
    await client.chat(chatFor(item, model), { headers: { origin: 'https://shop.example' } });
  }),
  brokenOneByOne('key-given-to-another-provider', 'plain-use', ['AUTH-3'], (client, item, model, index) => {
    const { baseUrl, otherBaseUrl } = client.inputs;
    return client.chat(chatFor(item, model), { baseUrl: index % 2 === 0 ? baseUrl : otherBaseUrl });
  }),
  brokenOneByOne('sampling-parameter-of-another-provider', 'plain-use', ['CALL-4'], (client, item, model) =>
    client.chat({ ...chatFor(item, model), top_p: 0.9 }),
  ),
  brokenOneByOne('stream-options-sent', 'plain-use', ['CALL-4'], (client, item, model) =>
    client.chat({ ...chatFor(item, model), stream: true, stream_options: { include_usage: true } }),
  ),
  brokenOneByOne('tools-offered', 'plain-use', ['CALL-4'], (client, item, model) => {
    const tools = [{ type: 'function', function: { name: 'look_up' } }];
    return client.chat({ ...chatFor(item, model), tools });
  }),
  brokenOneByOne('parameters-in-the-query', 'plain-use', ['CALL-4'], (client, item, model) =>
    client.chat(chatFor(item, model), { query: '?api-version=2024-10-21&top_p=0.5' }),
  ),
  broken('hard-coded-model', 'plain-use', ['CALL-5'], async (client, items) => {
    for (const item of items) await client.chat(chatFor(item, 'compact-1'));
  }),
  brokenOneByOne('model-id-dressed-up', 'plain-use', ['CALL-5'], (client, item, model) =>
    client.chat(chatFor(item, `${model}:latest`)),
  ),
  brokenOneByOne('refused-model-used-on', 'model-vanishes', ['CALL-5'], (client, item, model) =>
    client.chat(chatFor(item, model)),
  ),
  brokenOneByOne('base-address-without-version', 'plain-use', ['CALL-7'], (client, item, model) =>
    client.chat(chatFor(item, model), { baseUrl: client.inputs.baseUrl.replace(/\/v1$/, '') }),
  ),
  broken('version-appended-twice', 'plain-use', ['CALL-7'], async (client, items) => {
    const [model] = await client.models();
    const baseUrl = `${client.inputs.baseUrl}/v1`;
    await concurrently(items, 2, (item) => client.chat(chatFor(item, model), { baseUrl }));
  }),
  broken('image-sent-unasked', 'image-with-vision', ['VIS-2'], async (client, items) => {
    const models = await client.models();
    const model = models.find((id) => id.startsWith('vista')) ?? '';
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
  broken('vision-answer-ignored', 'image-without-vision', ['VIS-2'], async (client, items) => {
    const [model] = await client.models();
    await client.vision();
    for (const item of items) await client.chat(imageChatFor(item, model));
  }),
];
