import { randomUUID } from 'node:crypto';
import { broken, type ProofCaller } from './proof-caller.ts';
import { chatFor, imageChatFor, pooled, ProofClient } from './proof-client.ts';

/** Callers that are careless of Idempotency-Keys, of their own key, of models and fields. */
export const BROKEN_KEYS: readonly ProofCaller[] = [
  broken('one-idempotency-key-for-all', 'plain-use', ['IDEM-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const key = randomUUID();
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { key });
  }),
  {
    ...broken('idempotency-keys-counted-from-one', 'plain-use', ['IDEM-1'], async (place) => {
      const client = new ProofClient(place);
      const [model] = await client.models();
      for (const [index, wish] of place.task.wishes.entries())
        await client.chat(chatFor(wish, model), { key: `request-${index + 1}` });
    }),
    scenarios: ['plain-use', 'charged-and-lost'],
  },
  broken('no-idempotency-key', 'plain-use', ['IDEM-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { key: null });
  }),
  broken('idempotency-key-reused-after-the-body-changed', 'token-limit', ['IDEM-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const key = randomUUID();
    for (const wish of place.task.wishes) {
      await client.chat(chatFor(wish, model), { key });
      await client.chat({ ...chatFor(wish, model), max_tokens: 8 }, { key });
    }
  }),
  broken('same-request-twice-at-once', 'plain-use', ['IDEM-1'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      const hedged = { key: randomUUID() };
      await Promise.all([1, 2].map(() => client.chat(chatFor(wish, model), hedged)));
    }
  }),
  broken('idempotency-key-forgotten', 'unavailable', ['IDEM-2'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      const { kind } = await client.chat(chatFor(wish, model));
      client.record(wish, kind === 'lost' ? 'uncertain' : kind);
    }
  }),
  broken('key-in-the-address', 'plain-use', ['AUTH-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const query = `?api_key=${place.apiKey}`;
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { query });
  }),
  broken('key-in-the-prompt', 'plain-use', ['AUTH-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const told = `You may use ${place.apiKey}. `;
    for (const wish of place.task.wishes)
      await client.chat(chatFor({ ...wish, text: told + wish.text }, model));
  }),
  broken('key-in-a-browser', 'plain-use', ['AUTH-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const headers = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { headers });
  }),
  broken('key-given-to-another-provider', 'plain-use', ['AUTH-3'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const [index, wish] of place.task.wishes.entries())
      await client.chat(chatFor(wish, model), index % 2 === 0 ? {} : { baseUrl: place.otherBaseUrl });
  }),
  broken('sampling-parameter-of-another-provider', 'plain-use', ['CALL-4'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) await client.chat({ ...chatFor(wish, model), top_p: 0.9 });
  }),
  broken('stream-options-sent', 'plain-use', ['CALL-4'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes)
      await client.chat({ ...chatFor(wish, model), stream: true, stream_options: { include_usage: true } });
  }),
  broken('tools-offered', 'plain-use', ['CALL-4'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const tools = [{ type: 'function', function: { name: 'look_up' } }];
    for (const wish of place.task.wishes) await client.chat({ ...chatFor(wish, model), tools });
  }),
  broken('parameters-in-the-query', 'plain-use', ['CALL-4'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const query = '?api-version=2024-10-21&top_p=0.5';
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { query });
  }),
  broken('hard-coded-model', 'plain-use', ['CALL-5'], async (place) => {
    const client = new ProofClient(place);
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, 'compact-1'));
  }),
  broken('model-id-dressed-up', 'plain-use', ['CALL-5'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, `${model}:latest`));
  }),
  broken('refused-model-used-on', 'model-vanishes', ['CALL-5'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model));
  }),
  broken('base-address-without-version', 'plain-use', ['CALL-7'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const baseUrl = place.baseUrl.replace(/\/v1$/, '');
    for (const wish of place.task.wishes) await client.chat(chatFor(wish, model), { baseUrl });
  }),
  broken('version-appended-twice', 'plain-use', ['CALL-7'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const baseUrl = `${place.baseUrl}/v1`;
    await pooled(place.task.wishes, 2, (wish) => client.chat(chatFor(wish, model), { baseUrl }));
  }),
  broken('image-sent-unasked', 'image-with-vision', ['VIS-2'], async (place) => {
    const client = new ProofClient(place);
    const models = await client.models();
    const model = models.find((id) => id.startsWith('vista')) ?? '';
    for (const wish of place.task.wishes) await client.chat(imageChatFor(wish, model));
  }),
  broken('vision-asked-after-the-image', 'image-with-vision', ['VIS-2'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    for (const wish of place.task.wishes) {
      await client.chat(imageChatFor(wish, model));
      await client.vision();
    }
  }),
  broken('vision-answer-ignored', 'image-without-vision', ['VIS-2'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    await client.vision();
    for (const wish of place.task.wishes) await client.chat(imageChatFor(wish, model));
  }),
];
