import OpenAI from 'tested-client';
import { expect, test } from 'vitest';
import { useVitestMock } from './use-mock-vitest.ts';

const mock = useVitestMock({ seed: 3, withoutRequest: 'allow' });
const early = new OpenAI({ maxRetries: 0 });
const CHAT = { model: 'compact-1', messages: [{ role: 'user' as const, content: 'Hello' }] };
const client = (): OpenAI => new OpenAI({ maxRetries: 0 });

test('sets the environment of the tested client', async () => {
  expect(process.env).toMatchObject({ OPENAI_BASE_URL: mock().url, CHAT_API_KEY: mock().keys['primary'] });
  expect((await client().chat.completions.create(CHAT)).choices).toHaveLength(1);
  expect(mock().ledger.entries()).toHaveLength(1);
});

test.each([1, 2])('serves a client that was made before the first test, in test %i', async () => {
  expect((await early.chat.completions.create(CHAT)).choices).toHaveLength(1);
  expect(mock().ledger.entries()).toHaveLength(1);
});

test('begins each test with nothing in the workspace, the journal and the plan', () => {
  expect(mock().ledger.entries()).toEqual([]);
  expect(mock().journal.came).toBe(0);
  expect(mock().faults.isEmpty).toBe(true);
});

test('arms faults, as lines and as objects', async () => {
  mock().arm('rate_limit times=1', { fault: 'service_unavailable', times: 1 });
  for (const status of [503, 429]) {
    await expect(client().chat.completions.create(CHAT)).rejects.toMatchObject({ status });
  }
  expect((await client().chat.completions.create(CHAT)).choices).toHaveLength(1);
  const entries = await fetch(`${mock().control}/journal`);
  expect(await entries.text()).toContain('"came":3');
});
