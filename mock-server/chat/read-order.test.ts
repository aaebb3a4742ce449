import { expect, test } from 'vitest';

import { builtInWorld } from '../world/built-in-world.ts';
import { createCallers } from '../world/caller.ts';
import type { Order } from './order.ts';
import { readOrder } from './read-order.ts';
import type { Received } from '../http/received.ts';

const chat = { model: 'standard-1', messages: [{ role: 'user', content: 'Hello' }] };

function order(request: Partial<Received>): Order {
  const [primary] = createCallers(builtInWorld);
  if (primary === undefined) throw new Error('The built-in world has no key');
  return readOrder(builtInWorld, primary, {
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
  expect(order({ contentType })).toMatchObject({ stream: false, inputTokens: 6, allowedTokens: 256 });
});

test.each(['', 'text/plain', 'multipart/form-data', 'application/jsonp', 'application/json-seq'])(
  'refuses a body declared as %j',
  (contentType) => {
    expect(() => order({ contentType })).toThrow(expect.objectContaining({ kind: 'unsupported_media_type' }));
  },
);

test('refuses an encoded body, and reads one that says it is not', () => {
  expect(() => order({ contentEncoding: 'gzip' })).toThrow(
    expect.objectContaining({ kind: 'unsupported_media_type' }),
  );
  expect(order({ contentEncoding: 'Identity' }).model.id).toBe('standard-1');
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
  expect(() => order({ body })).toThrow(expect.objectContaining({ kind }));
});
