import { expect, test } from 'vitest';
import { RecentlyRead } from './recently-read.ts';

const SHOWN = { type: 'shown', idempotencyKey: '' } as const;

/** Lines with bodies of this size, and how often each was read. */
function lines(count: number, bytes: number) {
  return Array.from({ length: count }, () => {
    const counts = { reads: 0 };
    const read = () => {
      counts.reads += 1;
      return { entry: SHOWN, body: new Uint8Array(bytes) };
    };
    return { read, counts };
  });
}

test('reads a line once while one thing of it is asked for after the other', () => {
  const recent = new RecentlyRead(({ body }) => ({ body }), 0);
  const [first, second] = lines(2, 1000);
  for (const each of [first, first, second, second, first]) if (each !== undefined) recent.get(each);
  expect([first?.counts.reads, second?.counts.reads]).toEqual([2, 1]);
});

test('lets go of those that were asked for longest ago', () => {
  const recent = new RecentlyRead(({ body }) => ({ body }), 22_000);
  const all = lines(4, 5000);
  for (const nth of [0, 1, 0, 2, 3, 0]) recent.get(all[nth] ?? { read: () => ({ entry: SHOWN }) });
  // Three fit: 1 left before 0, which was asked for meanwhile.
  expect(all.map(({ counts }) => counts.reads)).toEqual([1, 1, 1, 1]);
  recent.get(all[1] ?? { read: () => ({ entry: SHOWN }) });
  expect(all[1]?.counts.reads).toBe(2);
});
