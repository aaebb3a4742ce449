import OpenAI from 'tested-client';
import { afterAll, expect, test, vi } from 'vitest';
import type { RequestFilter } from '../../../mock-server/journal/sent-requests.ts';
import { assertSent, assertSentOnce } from './matchers.ts';
import { useMock } from './use-mock-vitest.ts';

// Ends after the mock has closed.
afterAll(() => void vi.useRealTimers());

const mock = useMock({ withoutRequest: 'allow', latency: 20 });
const client = new OpenAI({ maxRetries: 0 });

function ask(order: string, body: object = {}): Promise<unknown> {
  const chat = { model: 'compact-1', messages: [{ role: 'user' as const, content: 'Hello' }], ...body };
  return client.chat.completions.create(chat, { headers: { 'Idempotency-Key': order } });
}

test('tells what was sent, and what was sent once', async () => {
  expect(mock()).not.toHaveSent();
  await client.models.list();
  await ask('order-1', { max_tokens: 16 });
  expect(mock()).toHaveSent();
  expect(mock()).toHaveSentOnce({ endpoint: 'chat', body: { max_tokens: 16 }, status: 200 });
  await ask('order-2', { max_tokens: 16 });
  expect(mock()).toHaveSent({ idempotencyKey: /^order/, debit: expect.any(Number) });
  expect(mock()).not.toHaveSentOnce({ body: { max_tokens: 16 } });
});

test('shows what was sent instead, the nearest first, and no key', async () => {
  const key = mock().keys['primary'] ?? '';
  const filter: RequestFilter = { body: { max_tokens: 8, stream: true }, headers: { authorization: 'none' } };
  expect(() => expect(mock()).toHaveSent(filter)).toThrow('came to the mock, nor any other');
  await client.models.list();
  await ask('order-1', { max_tokens: 16, stream: true });
  await ask('order-2', { user: key }).catch(() => {});
  const said = expect.stringMatching(
    /^no request with \{"body":.* came to the mock; nearest of 3:\n {2}#2 POST \/v1\/chat\/completions 200, Idempotency-Key order-1: body\.max_tokens is 16, not 8; headers\.authorization is "Bearer \(a key\)", not "none"\n {2}#1 GET \/v1\/models 200: body\.max_tokens is absent, not 8; body\.stream is absent, not true; headers.*\n {2}#3 POST .* 400/,
  );
  expect(() => expect(mock()).toHaveSent(filter)).toThrow(expect.objectContaining({ message: said }));
  expect(() => expect(mock()).toHaveSent({ prompt: key })).not.toThrow(key);
  expect(() => assertSent(mock(), { endpoint: 'vision' })).toThrow('endpoint is "models", not "vision"');
  expect(() => assertSentOnce(mock(), { method: 'POST' })).toThrow(
    '2 requests with {"method":"POST"} came to the mock:\n  #2 POST',
  );
  expect(() => expect(mock()).not.toHaveSent({ method: 'GET' })).toThrow('1 request with {"method":"GET"}');
});

test('says what is wrong with the matcher itself, whatever it expects', () => {
  expect(() => expect(mock).not.toHaveSent()).toThrow(
    'toHaveSent looks at a mock: expect(mock()).toHaveSent(…)',
  );
  const misspelt: object = { satus: 200 };
  expect(() => expect(mock()).not.toHaveSentOnce(misspelt)).toThrow(
    'toHaveSentOnce: satus: no request has this field',
  );
});

test('lists a request that is under way', async () => {
  mock().arm('latency ms=300 times=1');
  const asked = ask('order-1');
  await expect.poll(mock).toHaveSentOnce({ idempotencyKey: 'order-1' });
  expect(mock().requests()).toMatchObject([{ status: null, debit: null, ended: null, fault: 'latency' }]);
  await asked;
  expect(mock().requests()).toMatchObject([{ status: 200, debit: expect.any(Number) }]);
});

test('lets the client look up what became of its request', async () => {
  mock().arm('connection_reset phase=after-debit times=1');
  await ask('order-1').catch(() => {});
  const found = await fetch(`${process.env['CHAT_CONTROL_URL']}/requests/order-1`);
  expect(await found.json()).toMatchObject({ state: 'succeeded', debit: mock().requests()[0]?.debit });
});

test('serves a client while every timer is fake, to the end', async () => {
  const { setTimeout, setImmediate } = globalThis;
  vi.useFakeTimers();
  expect([globalThis.setTimeout, globalThis.setImmediate]).not.toContain(setTimeout);
  expect(globalThis.setImmediate).not.toBe(setImmediate);
  mock().arm('latency ms=10 times=1', 'stall bytes=10 ms=10 times=1');
  await ask('order-1');
  expect((await mock().judge()).checks.length).toBeGreaterThan(0);
});
