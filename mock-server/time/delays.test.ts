import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CHAT, complete, openMock } from '../test-support/open-mock.ts';
import { Delays, QuietPeriodBatcher } from './delays.ts';

function unexpected(error: unknown): void {
  throw error;
}

test('goes on with the other waits when a step throws', async () => {
  const failures: unknown[] = [];
  const ran: string[] = [];
  const broken = (): void => {
    throw new Error('broken');
  };
  const hear = (error: unknown): number => failures.push(error);
  const [delays, batcher] = [new Delays(hear), new QuietPeriodBatcher(60_000, hear)];
  for (const waits of [delays, batcher]) {
    waits.afterArrivals(60_000, broken);
    waits.afterArrivals(60_000, () => ran.push('other'));
    waits.flush();
  }
  delays.after(1, broken);
  await expect.poll(() => failures).toHaveLength(3);
  expect(ran).toEqual(['other', 'other']);
});

test('runs at once given nothing to wait for', () => {
  let ran = 0;
  new Delays(unexpected).after(0, () => (ran += 1));
  expect(ran).toBe(1);
});

test('lets others have their turn first, given nothing to wait for too', async () => {
  const delays = new Delays(unexpected);
  const ran: string[] = [];
  const again = (left: number): void => {
    ran.push('again');
    if (left > 0) delays.afterOthers(0, () => again(left - 1));
  };
  again(3);
  setImmediate(() => ran.push('other'));
  await expect.poll(() => ran).toEqual(['again', 'again', 'other', 'again', 'again']);
  delays.afterOthers(0, () => ran.push('ended'));
  delays.flush();
  expect(ran.at(-1)).toBe('ended');
});

test('runs later, once, whether the wait elapses or is ended', async () => {
  const delays = new Delays(unexpected);
  const ran: string[] = [];
  delays.after(1, () => ran.push('short'));
  delays.after(60_000, () => ran.push('long'));
  expect(ran).toEqual([]);
  await expect.poll(() => ran).toEqual(['short']);
  delays.flush();
  delays.flush();
  expect(ran).toEqual(['short', 'long']);
});

test('lets all that waits go on together', async () => {
  const gathering = new QuietPeriodBatcher(20, unexpected);
  const done: string[] = [];
  gathering.afterArrivals(0, () => done.push('a'));
  gathering.afterArrivals(10_000, () => done.push('b'));
  expect(done).toEqual([]);
  await expect.poll(() => done).toEqual(['a', 'b']);
  gathering.afterArrivals(0, () => done.push('c'));
  gathering.flush();
  expect(done).toEqual(['a', 'b', 'c']);
});

test('waits for what arrived while the process was held up', async () => {
  const gathering = new QuietPeriodBatcher(20, unexpected);
  const done: string[] = [];
  let waiting = 1;
  // Timers come before what has arrived, after a callback of setImmediate.
  setImmediate(() => {
    gathering.afterArrivals(0, () => done.push(`first of ${waiting}`));
    void stat('/').then(() => {
      waiting += 1;
      gathering.afterArrivals(0, () => done.push('second'));
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  });
  await expect.poll(() => done).toEqual(['first of 2', 'second']);
});

test('lets those with precedence go on alone, and the others once it is quiet again', async () => {
  const gathering = new QuietPeriodBatcher(20, unexpected);
  const done: string[] = [];
  gathering.afterArrivals(0, () => done.push('answer'));
  gathering.before(() => done.push('fault'));
  await expect.poll(() => done).toEqual(['fault', 'answer']);
  gathering.afterArrivals(0, () => done.push('second answer'));
  const storm = (): void => {
    done.push('storm');
    if (done.length < 9) gathering.before(storm);
  };
  gathering.before(storm);
  await expect.poll(() => done.slice(2, 5)).toEqual(['storm', 'storm', 'second answer']);
  gathering.before(() => done.push('last fault'));
  gathering.flush();
  expect(done.at(-1)).toBe('last fault');
});

test('answers completions once no more of them come', async () => {
  const mock = await openMock({ gatherMs: 200 });
  const asked = ['a', 'b', 'c'].map((content) =>
    complete(mock, { ...CHAT, messages: [{ role: 'user', content }] }),
  );
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const changes = mock.sandboxes.root.service.ledger.history().map(({ state }) => state);
  expect(changes).toEqual([...asked.map(() => 'running'), ...asked.map(() => 'succeeded')]);
});

test('ends a wait for arrivals once two turns have brought no other', async () => {
  const delays = new Delays(unexpected);
  const order: string[] = [];
  delays.afterArrivals(1, () => order.push('end'));
  // The timer is due before the first arrival.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  const arrive = (left: number): void => {
    order.push('arrival');
    delays.afterArrivals(60_000, () => {});
    if (left > 1) setImmediate(arrive, left - 1);
  };
  arrive(20);
  await expect.poll(() => order.at(-1)).toBe('end');
  expect(order).toHaveLength(21);
});
