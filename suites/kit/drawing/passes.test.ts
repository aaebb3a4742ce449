import { expect, test } from 'vitest';
import { type Cost, type Stage, stimulus, type Stimulus } from '../model/stimulus.ts';
import { passesOf } from './passes.ts';

interface Sent {
  readonly of: string;
  readonly nth: number;
  readonly cost: Cost;
  readonly isRemembered?: true;
}

/** So many draws of one stimulus, each at this cost. */
function planned(
  name: string,
  stage: Stage,
  count: number,
  cost: Cost,
  more: Partial<Stimulus> = {},
): readonly [Stimulus, readonly Sent[]] {
  const one = stimulus({
    name,
    stage,
    cappedCount: count,
    inputs: () => ({ examples: [] }),
    cost: () => cost,
    send: () => Promise.resolve({ exchanges: [] }),
    ...more,
  });
  return [one, Array.from({ length: count }, (_, nth) => ({ of: name, nth, cost }))];
}

/** Pass, stage and draws of each part. */
function parts(...plans: readonly (readonly [Stimulus, readonly Sent[]])[]): readonly string[] {
  const ordered = passesOf(new Map(plans), {
    isRemembered: ({ isRemembered }) => isRemembered === true,
    isOpen: ({ name }) => name.startsWith('open'),
    isKnown: ({ name }) => name.startsWith('known'),
    costOf: ({ cost }) => cost,
  });
  return ordered.map(
    ({ pass, stage, draws }) => `${pass} ${stage}: ${draws.map(({ of, nth }) => `${of}${nth}`).join(' ')}`,
  );
}

test('returns one draw of each stimulus of every stage before a second one of any', () => {
  expect(
    parts(
      planned('a', 'free', 3, { refused: 1 }),
      planned('b', 'paid', 2, { served: 1 }),
      planned('c', 'disruptive', 1, { served: 18 }),
    ),
  ).toEqual([
    'first free: a0',
    'first paid: b0',
    'first disruptive: c0',
    'second free: a1 a2',
    'second paid: b1',
  ]);
});

test('returns what failed before first, whatever its stage, and then each stimulus as without it', () => {
  const [paid, draws] = planned('b', 'paid', 3, { served: 1 });
  const failed = draws.map((draw, nth) => (nth === 0 ? { ...draw, isRemembered: true as const } : draw));
  expect(parts(planned('a', 'free', 2, { refused: 1 }), [paid, failed])).toEqual([
    'again paid: b0',
    'first free: a0',
    'first paid: b1',
    'second free: a1',
    'second paid: b2',
  ]);
});

test('returns every draw of what is known to fail after all others, what failed before too', () => {
  const [known, draws] = planned('known', 'free', 2, { refused: 1 });
  const failed = draws.map((draw, nth) => (nth === 0 ? { ...draw, isRemembered: true as const } : draw));
  expect(
    parts([known, failed], planned('open', 'paid', 2, { served: 1 }), planned('a', 'paid', 1, { served: 1 })),
  ).toEqual(['first paid: open0 a0', 'open paid: open1', 'known free: known0 known1']);
});

test('returns the cheapest first in each stage', () => {
  const [dear, cheap] = [planned('d', 'paid', 1, { served: 7 }), planned('c', 'paid', 1, { refused: 1 })];
  expect(parts(dear, planned('m', 'paid', 1, { served: 1 }), cheap)).toEqual(['first paid: c0 m0 d0']);
});

test('returns what only observes last, but for its first draw', () => {
  expect(parts(planned('open', 'free', 3, { refused: 1 }), planned('p', 'paid', 2, { served: 1 }))).toEqual([
    'first free: open0',
    'first paid: p0',
    'second paid: p1',
    'open free: open1 open2',
  ]);
});

test('returns as many first draws as it takes to exercise each clause, and all of what only reads', () => {
  expect(
    parts(
      planned('r', 'free', 2, { reads: 1 }, { readsOnly: true }),
      planned('p', 'paid', 4, { served: 1 }, { firstCount: 3 }),
    ),
  ).toEqual(['first free: r0 r1', 'first paid: p0 p1 p2', 'second paid: p3']);
});
