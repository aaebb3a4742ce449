import { afterAll, expect, test } from 'vitest';
import { problemsOf } from './problems.ts';
import { type Job, Threads } from './threads.ts';

const threads = new Threads();
afterAll(() => threads.close());

const job = (world: string): Job => ({ world, size: 'live', seed: 1 });

test('makes runs against services and with callers in threads', async () => {
  const names = ['tools-ignored', 'refuses-everything', 'no-idempotency-key'];
  const runs = await threads.make(names.map(job), { inEach: 2 });
  expect(runs.map(({ world }) => world).toSorted()).toEqual(names.toSorted());
  expect(runs.flatMap(problemsOf)).toEqual([]);
});

test('rejects given an unknown world', async () => {
  await expect(threads.make([job('no-such-world')], { inEach: 1 })).rejects.toThrow(
    'no world is called no-such-world',
  );
});
