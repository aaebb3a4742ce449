import { expect, test } from 'vitest';
import { Delays } from './delays.ts';

test('resolves later, once, whether the wait elapses or is ended', async () => {
  const delays = new Delays();
  const ended: string[] = [];
  const short = delays.wait(1)?.then(() => ended.push('short'));
  const long = [delays.wait(60_000), delays.wait(60_000)];
  await short;
  expect(ended).toEqual(['short']);
  delays.flush();
  delays.flush();
  for (const each of long) await each;
  expect(delays.wait(0)).toBeUndefined();
});
