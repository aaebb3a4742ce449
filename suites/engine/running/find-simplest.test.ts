import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draw, drawsOf } from '../inputs/draws.ts';
import { type Ruling, HOLDS, inconclusive, violated } from '../model/ruling.ts';
import { stimulus } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { shrink } from './find-simplest.ts';

const trial = { exchanges: [] };

function aboveAHundred(): Draw {
  const naturals = stimulus({
    name: 'naturals',
    stage: 'free',
    cappedCount: 1,
    inputs: () => ({ examples: [], arbitrary: fc.integer({ min: 0, max: 100_000 }).filter((n) => n > 100) }),
    cost: () => ({}),
    send: async () => trial,
  });
  const [draw] = drawsOf(naturals, {} as TargetInfo, 11, 1);
  if (draw === undefined) throw new Error('one draw was asked for');
  return draw;
}

const limits = (attempts: number) => ({ attempts, afford: () => true, known: new Map() });

const tooLarge = { code: 'too-large', expected: 'at most 100', actual: 'more' };

test('finds the simplest input that fails in the same way, without sending any twice', async () => {
  const draw = aboveAHundred();
  const sent: string[] = [];
  const found = await shrink({ finding: tooLarge, trial, draw }, limits(1000), async (next) => {
    sent.push(next.text());
    return { trial, ruling: violated('too-large', 'at most 100', 'more') };
  });
  expect(found.draw?.text()).toBe('101');
  expect(new Set(sent).size).toBe(sent.length);
});

test('follows no other failure', async () => {
  const draw = aboveAHundred();
  const found = await shrink({ finding: tooLarge, trial, draw }, limits(1000), async () => ({
    trial,
    ruling: violated('another', 'x', 'y'),
  }));
  expect(found.draw).toBe(draw);
});

test('stops at what cannot be judged and at its number of attempts', async () => {
  const rulings = async (ruling: Ruling, attempts: number): Promise<number> => {
    let sent = 0;
    await shrink({ finding: tooLarge, trial, draw: aboveAHundred() }, limits(attempts), async () => {
      sent += 1;
      return { trial, ruling };
    });
    return sent;
  };
  expect(await rulings(inconclusive('timeout'), 50)).toBe(1);
  expect(await rulings(HOLDS, 3)).toBe(3);
});

test('stops at the first draw that cannot be afforded', async () => {
  let left = 2;
  const sent: string[] = [];
  const afford = (): boolean => (left -= 1) >= 0;
  const draw = aboveAHundred();
  await shrink(
    { finding: tooLarge, trial, draw },
    { attempts: 50, afford, known: new Map() },
    async (next) => {
      sent.push(next.text());
      return { trial, ruling: HOLDS };
    },
  );
  expect(sent).toHaveLength(2);
});

test('follows what is known to fail in the same way, and asks for nothing that was sent before', async () => {
  const draw = aboveAHundred();
  const [simplest] = draw.simpler();
  if (simplest === undefined) throw new Error('there is something simpler');
  const before = { finding: tooLarge, trial, draw: simplest };
  const known = new Map([[simplest.text(), before]]);
  const sent: string[] = [];
  const found = await shrink({ finding: tooLarge, trial, draw }, { ...limits(50), known }, async (next) => {
    sent.push(next.text());
    return { trial, ruling: HOLDS };
  });
  expect(found).toBe(before);
  expect(sent).not.toContain(simplest.text());
});
