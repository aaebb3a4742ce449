import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draw, drawsOf } from '../inputs/draws.ts';
import { type Ruling, HOLDS, inconclusive, violated } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { shrink } from './find-simplest.ts';

const naturals = stimulus({
  name: 'naturals',
  stage: 'free',
  cappedCount: 1,
  inputs: () => ({ examples: [], arbitrary: fc.integer({ min: 0, max: 100_000 }).filter((n) => n > 100) }),
  cost: () => ({}),
  send: async () => ({ exchanges: [] }),
});

const tooLarge = { code: 'too-large', expected: 'at most 100', actual: 'more' };
const LARGE = violated('too-large', 'at most 100', 'more');

/** Looks for the simplest of a failure, where every other input is ruled on as told; what was sent, and what came of it. */
async function searched(ruling: Ruling, { attempts = 1000, isKnown = false } = {}) {
  const [draw] = drawsOf(naturals, {} as TargetInfo, 11, 1);
  if (draw === undefined) throw new Error('one draw was asked for');
  const [simpler = draw] = draw.simpler();
  const before = { finding: tooLarge, draw: simpler };
  const known = new Map(isKnown ? [[simpler.text(), before]] : []);
  const sent: string[] = [];
  const retry = async (next: Draw): Promise<Ruling> => {
    sent.push(next.text());
    return ruling;
  };
  const found = await shrink({ finding: tooLarge, draw }, attempts, known, retry);
  return { draw, before, found, sent };
}

test('finds the simplest input that fails in the same way, without sending any twice', async () => {
  const { found, sent } = await searched(LARGE);
  expect(found.draw.text()).toBe('101');
  expect(new Set(sent).size).toBe(sent.length);
});

test('follows no other failure', async () => {
  const { found, draw } = await searched(violated('another', 'x', 'y'));
  expect(found.draw.text()).toBe(draw.text());
});

test.each([
  ['what cannot be judged', inconclusive('timeout'), { attempts: 50 }, 1],
  ['its number of attempts', HOLDS, { attempts: 3 }, 3],
])('stops at %s', async (_, ruling, limits, count) => {
  expect((await searched(ruling, limits)).sent).toHaveLength(count);
});

test('follows what is known to fail in the same way, and asks for nothing that was sent before', async () => {
  const { found, before, sent } = await searched(HOLDS, { attempts: 50, isKnown: true });
  expect(found).toBe(before);
  expect(sent).not.toContain(before.draw.text());
});
