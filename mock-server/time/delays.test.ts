import { expect, test } from 'vitest';
import { Delays } from './delays.ts';

test('lets others have their turn first, given nothing to wait for too', async () => {
  const delays = new Delays();
  const order: string[] = [];
  setImmediate(() => order.push('other'));
  await delays.turn(0);
  expect(order).toEqual(['other']);
});

test('resolves later, once, whether the wait elapses or is ended', async () => {
  const delays = new Delays();
  const ended: string[] = [];
  const short = delays.wait(1)?.then(() => ended.push('short'));
  const long = [delays.turn(60_000), delays.turn(0)];
  await short;
  expect(ended).toEqual(['short']);
  delays.flush();
  delays.flush();
  expect(await Promise.all(long)).toHaveLength(2);
});
