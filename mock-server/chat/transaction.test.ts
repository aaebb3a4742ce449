import { expect, test } from 'vitest';
import { PHASES } from '../rules/phases.ts';
import {
  CHAT,
  complete,
  COST,
  errorOf,
  openMock,
  openUnchecked,
  poorWorld,
} from '../test-support/open-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { World } from '../world/world-schema.ts';

const errorCode = async (response: Response): Promise<string> => (await errorOf(response)).code;

test('debits what the usage says, and holds nothing afterwards', async () => {
  const mock = await openMock();
  const response = await complete(mock);
  const { usage }: { usage: { prompt_tokens: number; completion_tokens: number } } = JSON.parse(
    await response.text(),
  );
  const debit = usage.prompt_tokens + usage.completion_tokens * 2;
  expect(mock.workspace.account('main')).toMatchObject({ debited: debit, held: 0 });
  expect(mock.workspace.entries()).toMatchObject([
    {
      requestId: response.headers.get('x-request-id'),
      workspace: 'main',
      idempotencyKey: null,
      reserved: COST,
      state: 'succeeded',
      debit,
      work: expect.objectContaining({ outputTokens: usage.completion_tokens }),
    },
  ]);
});

test('serves until the worst case is not to be had any more, and then refuses', async () => {
  const mock = await openMock({ world: poorWorld(COST) });
  const served = await complete(mock);
  await served.text();
  const refused = await complete(mock);
  expect([served.status, await errorCode(refused)]).toEqual([200, 'insufficient_credits']);
  expect(mock.workspace.entries()).toHaveLength(1);
});

test('refuses more at once than the key has slots, says when to retry, and frees them', async () => {
  const mock = await openMock({ world: poorWorld(1e6, 2), latency: 60 });
  const responses = await Promise.all([complete(mock), complete(mock), complete(mock), complete(mock)]);
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(2);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1']);
  await Promise.all(responses.map((response) => response.text()));
  expect((await complete(mock)).status).toBe(200);
  expect(mock.workspace.entries()).toHaveLength(3);
});

test('frees the slot of a client that goes away, and debits what its model completes', async () => {
  const mock = await openMock({ world: poorWorld(1e6, 1), latency: 100 });
  const key = { 'idempotency-key': 'kept' };
  const gone = new AbortController();
  const abandoned = complete(mock, CHAT, key, gone.signal);
  await expect.poll(() => mock.workspace.account('main')?.held).toBe(COST);
  gone.abort();
  await expect(abandoned).rejects.toThrow('aborted');
  await expect.poll(async () => (await complete(mock)).status).toBe(200);
  await expect.poll(() => mock.workspace.account('main')?.held).toBe(0);
  const replayed = await complete(mock, CHAT, key);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(mock.workspace.entries().filter(({ idempotencyKey }) => idempotencyKey === 'kept')).toMatchObject([
    { state: 'succeeded' },
  ]);
});

test.each([false, true])('replays the same bytes without a second debit given stream %s', async (stream) => {
  const mock = await openMock();
  const key = { 'idempotency-key': 'one' };
  const first = await complete(mock, { ...CHAT, stream }, key);
  const again = await complete(mock, { ...CHAT, stream }, key);
  expect(await again.text()).toBe(await first.text());
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  const { 'idempotency-replayed': replayed, ...headers } = Object.fromEntries(again.headers);
  expect(replayed).toBe('true');
  expect(headers).toEqual(Object.fromEntries(first.headers));
  expect(mock.workspace.entries()).toHaveLength(1);
});

test('forgets the Idempotency-Key of a request that was refused for want of credits', async () => {
  const mock = await openMock({ world: poorWorld(COST) });
  const key = { 'idempotency-key': 'one' };
  expect((await complete(mock, { ...CHAT, max_tokens: 9 }, key)).status).toBe(402);
  expect((await complete(mock, CHAT, key)).status).toBe(200);
});

test('passes every phase in order', async () => {
  const mock = await openMock({ control: true });
  await complete(mock);
  expect(mock.sandboxes.root.journal?.entries()[0]?.phases).toEqual(PHASES);
});

test.each([
  ['before-authentication', 0],
  ['after-validation', 0],
  ['after-reservation', 1],
  ['during-generation', 1],
])('answers with the error of a fault at %s, and debits nothing', async (phase, entries) => {
  const faults = [`service_unavailable phase=${phase}`];
  const mock = await openMock({ faults });
  const response = await complete(mock);
  expect([response.status, await errorCode(response)]).toEqual([503, 'service_unavailable']);
  expect(mock.workspace.entries()).toHaveLength(entries);
  expect(mock.workspace.account('main')).toMatchObject({ debited: 0, held: 0 });
});

/** Nothing like it passes the schema of a world file: the debit is not whole. */
const halfCredits: World = {
  ...builtInWorld,
  models: builtInWorld.models.map((model) => ({ ...model, price: { input: 1, output: 0.3 } })),
};

test.each([0, 5])(
  'answers a defect with an error object and a log line given a latency of %i',
  async (latency) => {
    const lines: string[] = [];
    const mock = await openUnchecked(halfCredits, { latency, log: (line) => lines.push(line) });
    const response = await complete(mock);
    expect([response.status, await errorCode(response)]).toEqual([500, 'internal_error']);
    expect(lines).toEqual([expect.stringContaining('does not fit a reservation')]);
    expect(mock.workspace.entries()).toMatchObject([{ state: 'failed' }]);
  },
);
