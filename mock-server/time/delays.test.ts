import { expect, test } from 'vitest';

import { Delays } from './delays.ts';

test('runs at once given nothing to wait for', () => {
  let ran = 0;
  new Delays().after(0, () => (ran += 1));
  expect(ran).toBe(1);
});

test('runs later, once, whether the wait ends by itself or is ended', async () => {
  const delays = new Delays();
  const ran: string[] = [];
  delays.after(1, () => ran.push('short'));
  delays.after(60_000, () => ran.push('long'));
  expect(ran).toEqual([]);
  await expect.poll(() => ran).toEqual(['short']);
  delays.flush();
  delays.flush();
  expect(ran).toEqual(['short', 'long']);
});
