import { expect, test } from 'vitest';
import { durationAt, Pacemaker } from './pacemaker.ts';

test('spaces requests evenly given a pace', () => {
  const pacemaker = new Pacemaker({ requests: 4, perMs: 1000 });
  expect(pacemaker.leftMs(0)).toBe(0);
  pacemaker.take(0);
  expect([pacemaker.leftMs(0), pacemaker.leftMs(100), pacemaker.leftMs(250)]).toEqual([250, 150, 0]);
  pacemaker.take(400);
  expect(pacemaker.leftMs(400)).toBe(250);
});

test('counts requests that did not ask, for one window at most', () => {
  const pacemaker = new Pacemaker({ requests: 4, perMs: 1000 });
  pacemaker.take(0);
  pacemaker.take(0);
  expect(pacemaker.leftMs(0)).toBe(500);
  for (let nth = 0; nth < 50; nth += 1) pacemaker.take(0);
  expect(pacemaker.leftMs(0)).toBe(1000);
});

test('lets everything leave at once without a pace', () => {
  const pacemaker = new Pacemaker(undefined);
  for (let nth = 0; nth < 5; nth += 1) pacemaker.take(10);
  expect(pacemaker.leftMs(10)).toBe(0);
});

test('says how long requests take', () => {
  expect(durationAt({ requests: 30, perMs: 60_000 }, 90)).toBe(180_000);
});
