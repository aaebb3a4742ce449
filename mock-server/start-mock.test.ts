import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Mock, startMock } from './start-mock.ts';
import { CHAT, complete, errorOf, openMock } from './test-support/open-mock.ts';
import { builtInWorld } from './world/built-in-world.ts';
import { completeWorld } from './world/check-world.ts';

test('gives the answers of one world and seed whatever the order and the concurrency', async () => {
  const body = fc.record({
    model: fc.constantFrom('compact-1', 'standard-1', 'none'),
    messages: fc.constant([{ role: 'user', content: 'Hello' }]),
    max_tokens: fc.integer({ min: 0, max: 40 }),
    stream: fc.boolean(),
  });
  const ask = async (mock: Mock, sent: object): Promise<string> => {
    const response = await complete(mock, sent);
    return JSON.stringify([sent, response.status, [...response.headers], await response.text()]);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 25 }), async (bodies) => {
      const [one, other] = [await openMock({ seed: 5 }), await openMock({ seed: 5 })];
      const concurrent = await Promise.all(bodies.toReversed().map((sent) => ask(one, sent)));
      const inTurn: string[] = [];
      for (const sent of bodies) inTurn.push(await ask(other, sent));
      expect(concurrent.toSorted()).toEqual(inTurn.toSorted());
    }),
    { numRuns: 8 },
  );
});

test('lets a request in flight end before it closes', async () => {
  const mock = await openMock({ world: builtInWorld, latency: 80 });
  const completion = complete(mock);
  await expect.poll(() => mock.workspace.entries().length).toBe(1);
  const closed = mock.close();
  expect((await completion).status).toBe(200);
  await closed;
  await expect(fetch(mock.url)).rejects.toThrow('fetch failed');
});

test('ends what is in flight once its time to drain is over', async () => {
  const mock = await openMock({ world: completeWorld({ limits: { drainMs: 30 } }), latency: 60_000 });
  const completion = complete(mock);
  await expect.poll(() => mock.workspace.entries().length).toBe(1);
  await mock.close();
  expect((await completion).status).toBe(200);
  expect(mock.workspace.entries()).toMatchObject([{ state: 'succeeded' }]);
});

test.each([
  [{ wrld: {} }, 'wrld: no option is called so (did you mean world?)'],
  [{ world: [] }, 'world: '],
  [{ world: { limits: { concurrency: '5' } } }, 'world/limits/concurrency: '],
  [{ faults: ['timeout', 'rate_limit times=0'] }, 'faults/1/times: '],
  [{ answers: [{ text: 'Hello', match: { key: 'none' } }] }, 'answers/0/match/key: no key of this world'],
  [{ defect: 'none' }, 'defect: there is no "none"'],
])('refuses %j in one line with its place', async (options, message) => {
  const started = startMock(options as object);
  await expect(started).rejects.toThrow(`startMock: ${message}`);
  await expect(started).rejects.toMatchObject({ message: expect.not.stringContaining('\n') });
});

test('tells of each request that has ended, without the keys that its world had', async () => {
  const prompts: (string | null)[] = [];
  const mock = await openMock({ requestEnded: ({ prompt }) => prompts.push(prompt) });
  const keys = { primary: 'a-key-of-a-world-that-changed' };
  await mock.changeWorld({ keys: { primary: { key: keys.primary } } });
  const sandbox = mock.sandboxes.create();
  const own = sandbox?.world.keys[0]?.key ?? '';
  const url = `${mock.origin}/sandboxes/${sandbox?.id}/v1`;
  const chat = (content: string) => ({ ...CHAT, messages: [{ role: 'user', content }] });
  await complete(mock, chat(`Is it ${keys.primary}?`));
  await complete({ url, keys: { primary: 'none' } }, chat(`Is it ${own}?`));
  await expect.poll(() => prompts).toEqual(['Is it (a key)?', 'Is it (a key)?']);
});

test('changes its world while it runs, until a reset', async () => {
  const mock = await openMock();
  await mock.changeWorld({ models: { 'compact-1': null }, anyKey: 'primary' });
  expect((await complete({ ...mock, keys: { primary: 'unheard-of' } })).status).toBe(404);
  await expect(mock.changeWorld({ models: { none: null } })).rejects.toThrow(
    'changeWorld: /models/none: no model',
  );
  mock.sandboxes.reset();
  expect((await complete(mock)).status).toBe(200);
});

test('holds the concurrency of a world for the built-in keys too, and says the limit', async () => {
  const mock = await openMock({ world: { limits: { concurrency: 1, drainMs: 1 } }, latency: 60_000 });
  // It is under way until the mock ends.
  complete(mock).catch(() => {});
  await expect.poll(() => mock.workspace.entries().length).toBe(1);
  const refused = await complete(mock);
  expect([refused.status, (await errorOf(refused)).message]).toEqual([
    429,
    expect.stringContaining('has a limit of 1'),
  ]);
  // The key keeps what it has in flight.
  await mock.changeWorld({ limits: { retryAfterSeconds: 7 } });
  expect((await complete(mock)).headers.get('retry-after')).toBe('7');
});
