import OpenAI from 'tested-client';
import { expect, test } from 'vitest';
import { useMock } from './use-mock-vitest.ts';

const mock = useMock({ seed: 3, latency: 30, withoutRequest: 'allow' });
const early = new OpenAI({ maxRetries: 0 });

async function ask(client: OpenAI, headers: Record<string, string>): Promise<unknown> {
  const { data } = await client.models.list();
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  return client.chat.completions.create({ model: data[0]?.id ?? '', messages }, { headers });
}

const fresh = (): Record<string, string> => ({ 'Idempotency-Key': crypto.randomUUID() });

test.each([1, 2])('serves a client that was made before the first test, in test %i', async () => {
  expect(mock().rules).toEqual([]);
  mock().arm('rate_limit times=1', { fault: 'service_unavailable', times: 1, match: { endpoint: 'chat' } });
  await expect(early.models.list()).rejects.toMatchObject({ status: 429 });
  await expect(ask(early, fresh())).rejects.toMatchObject({ status: 503 });
  expect((await mock().judge()).outcome).toBe('conformant');
  expect(mock().requests()).toHaveLength(3);
});

test('finds a client faithful that gives up', async () => {
  mock().arm('gateway_failure phase=after-debit body=html times=1');
  await expect(ask(new OpenAI({ maxRetries: 0 }), fresh())).rejects.toThrow('502');
  expect(await mock().judge()).toBeFaithful();
});

test('shows what a client that retries did', async () => {
  mock().arm('gateway_failure phase=after-debit body=html times=1');
  await ask(new OpenAI(), {});
  const judgement = await mock().judge();
  expect(() => expect(judgement).toBeFaithful()).toThrow(/#2 sent again unchanged[^]*scenario watched/);
});

test('does not call a caller faithful that sent nothing', async () => {
  const judgement = await mock().judge();
  expect(() => expect(judgement).toBeFaithful()).toThrow('the caller sent no request');
});

test('takes the timeout that the client was told for its 120 s', async () => {
  mock().arm('timeout endpoint=chat times=1');
  await expect(ask(new OpenAI({ maxRetries: 0, timeout: 700 }), fresh())).rejects.toThrow('timed out');
  expect(await mock().judge({ timeoutMs: 700 })).toBeFaithful();
  expect(await mock().judge()).not.toBeFaithful();
});

test('says what is missing where a test forgets to await the verdicts', async () => {
  const verdicts = mock().judge();
  expect(() => expect(verdicts).toBeFaithful()).toThrow('await it');
  await verdicts;
});

test('does not call a caller faithful while an answer is held', async () => {
  mock().arm('timeout endpoint=chat times=1');
  ask(new OpenAI({ maxRetries: 0 }), fresh()).catch(() => {});
  await expect.poll(mock).toHaveSent({ endpoint: 'chat', ended: 'silent' });
  const judgement = await mock().judge();
  expect(judgement.outcome).toBe('incomplete');
  expect(() => expect(judgement).toBeFaithful()).toThrow('1 request was still under way');
});

test('shows what the client sent, as it was sent and with what became of it', async () => {
  const [lost] = mock().arm('gateway_failure phase=after-debit times=1');
  const client = new OpenAI({ maxRetries: 0, defaultHeaders: { 'x-team': 'blue' } });
  await ask(client, { 'Idempotency-Key': 'order-1' }).catch(() => {});
  const [, chat] = mock().requests();
  expect(chat).toMatchObject({
    n: 2,
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat',
    key: 'primary',
    headers: { 'x-team': 'blue', authorization: `Bearer ${mock().keys['primary']}` },
    body: { model: 'compact-1', messages: [{ role: 'user', content: 'Hello' }] },
    prompt: 'Hello',
    idempotencyKey: 'order-1',
    status: 502,
    ended: 'answered',
    fault: 'gateway_failure',
    rule: lost,
  });
  expect(chat?.debit).toBe(mock().workspace.account('main').debited);
  expect(JSON.parse(chat?.text ?? '')).toEqual(chat?.body);
  expect(mock().rules).toMatchObject([{ id: lost, fired: 1 }]);
});
