import { expect, test } from 'vitest';
import type { ReceivedRequest } from '../protocol/request.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import { type AcceptedChat, acceptChat, cost, generationMs, selectModel } from './accept-chat.ts';

const chat = { model: 'standard-1', messages: [{ role: 'user', content: 'Hello' }] };

function accept(request: Partial<ReceivedRequest>): AcceptedChat {
  const [primary] = createCallers(builtInWorld);
  if (primary === undefined) throw new Error('The built-in world has no key');
  return acceptChat(builtInWorld, primary, {
    method: 'POST',
    url: '/v1/chat/completions',
    authorization: undefined,
    idempotencyKey: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    fault: undefined,
    body: Buffer.from(JSON.stringify(chat)),
    ...request,
  });
}

test.each([
  undefined,
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/x+json',
])('reads a body declared as %j', (contentType) => {
  expect(accept({ contentType })).toMatchObject({ stream: false, inputTokens: 6, allowedTokens: 256 });
});

test.each(['', 'text/plain', 'multipart/form-data', 'application/jsonp', 'application/json-seq'])(
  'refuses a body declared as %j',
  (contentType) => {
    expect(() => accept({ contentType })).toThrow(
      expect.objectContaining({ kind: 'unsupported_media_type' }),
    );
  },
);

test('refuses an encoded body, and reads one that says it is not', () => {
  expect(() => accept({ contentEncoding: 'gzip' })).toThrow(
    expect.objectContaining({ kind: 'unsupported_media_type' }),
  );
  expect(accept({ contentEncoding: 'Identity' }).model.id).toBe('standard-1');
});

const bad = { temperature: 9, messages: [{ role: 'tool', content: 1 }], model: 'none', extra: 1 };

test.each([
  ['body_too_large', null],
  ['invalid_encoding', Buffer.from([0xff])],
  ['invalid_json', Buffer.from('{')],
  ['unknown_field', Buffer.from(JSON.stringify(bad))],
  ['invalid_value', Buffer.from(JSON.stringify({ ...bad, extra: undefined }))],
  ['unknown_model', Buffer.from(JSON.stringify({ ...chat, model: 'none', max_tokens: 1e9 }))],
  ['token_limit', Buffer.from(JSON.stringify({ ...chat, max_tokens: 1e9 }))],
])('finds %s before what comes after it', (kind, body) => {
  expect(() => accept({ body })).toThrow(expect.objectContaining({ kind }));
});

const accepted: AcceptedChat = {
  model: { id: 'm', contextTokens: 100, price: { input: 3, output: 5 }, latencyMs: 10, latencyPerTokenMs: 2 },
  modelId: 'm',
  stream: false,
  inputTokens: 7,
  allowedTokens: 9,
};

test('costs the input and the output at their prices', () => {
  expect([cost(accepted, 0), cost(accepted, 9)]).toEqual([21, 66]);
});

test('takes as long as the model does, and no time for one that takes none', () => {
  expect(generationMs(accepted, 9)).toBe(28);
  expect(
    generationMs({ ...accepted, model: { id: 'm', contextTokens: 100, price: { input: 0, output: 0 } } }, 9),
  ).toBe(0);
});

const [primary] = createCallers(builtInWorld);
if (primary === undefined) throw new Error('The built-in world has no key');

const text = [{ role: 'user', content: '' }] as const;
const picture = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/' } }] },
] as const;

test('returns a model of the key', () => {
  expect(selectModel(primary, { model: 'compact-1', messages: text }).contextTokens).toBe(1024);
  expect(selectModel(primary, { model: 'vista-1', messages: picture }).vision).toBe(true);
});

test.each(['reserve-1', 'no-such-model', '', 'Compact-1', 'compact-1 ', '__proto__', 'constructor'])(
  'refuses %j as unknown, whether another key has it or none',
  (model) => {
    expect(() => selectModel(primary, { model, messages: text })).toThrow(
      expect.objectContaining({ kind: 'unknown_model', particulars: { path: ['model'] } }),
    );
  },
);

test('refuses a model that is known but unavailable', () => {
  expect(() => selectModel(primary, { model: 'dormant-1', messages: text })).toThrow(
    expect.objectContaining({ kind: 'model_unavailable' }),
  );
});

test('refuses an image for a model without vision, and names the image', () => {
  expect(() => selectModel(primary, { model: 'compact-1', messages: picture })).toThrow(
    expect.objectContaining({
      kind: 'image_not_allowed',
      particulars: { path: ['messages', 0, 'content', 0] },
    }),
  );
});
