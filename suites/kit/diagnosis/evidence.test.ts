import { expect, test } from 'vitest';
import { isBorneOut } from './evidence.ts';
import { bugsIn } from './signature.ts';
import type { Symptom } from './symptoms.ts';

const LISTS = {
  inputs: ['a', 'b', 'c', 'd'],
  kinds: ['accepted', 'failed', 'accepted in exchange 2'],
  answers: ['2xx completion'],
};

/** Bugs by the one line that says what each makes of a check. */
function bugs(signs: Readonly<Record<string, string>>, inputs: readonly string[] = LISTS.inputs) {
  return bugsIn({
    format: 'chat-conformance/signatures',
    version: 2,
    seeds: [1],
    ...LISTS,
    inputs,
    bugs: Object.fromEntries(
      Object.entries(signs).map(([name, sign]) => [name, { clauses: [], story: name, signs: [sign] }]),
    ),
  });
}

/** `a b` failed, and `c d` held. */
function symptoms(failing: string, holding: string, kind = 'accepted'): readonly Symptom[] {
  const inputs = (text: string) => text.split(' ').filter((input) => input !== '');
  return [
    ...inputs(failing).map((input) => ({
      check: 'refused',
      input,
      failed: { kind, answer: '2xx completion', shape: 'aaaa' },
    })),
    ...inputs(holding).map((input) => ({ check: 'refused', input })),
  ];
}

const noInvariant = () => false;

const NARROW = 'refused 2/4; fails 0-1; holds 2-3; kinds 0; answers 0';

function isBorneOutBy(found: readonly Symptom[], others: Readonly<Record<string, string>> = {}) {
  const known = bugs({ narrow: NARROW, ...others });
  return known.slice(0, 1).some((bug) => isBorneOut(bug, [], found, known, noInvariant));
}

test('is borne out given just what the bug does', () => {
  expect(isBorneOutBy(symptoms('a b', 'c d'))).toBe(true);
});

test.each([
  ['one of its inputs held', 'a', 'b c d'],
  ['an input failed that holds with it', 'a b c', 'd'],
  ['too few inputs were tried', 'a b', ''],
  ['most failures are on inputs on which it was never tried', 'a b x y z', 'c d'],
])('is not borne out where %s', (_, failing, holding) => {
  expect(isBorneOutBy(symptoms(failing, holding))).toBe(false);
});

test('is not borne out where it failed in another way, or in another exchange', () => {
  expect(isBorneOutBy(symptoms('a b', 'c d', 'failed'))).toBe(false);
  expect(isBorneOutBy(symptoms('a b', 'c d', 'accepted in exchange 2'))).toBe(false);
});

test('is not borne out where others explain all of it together, unless they are contradicted', () => {
  const found = symptoms('a b', 'c d');
  const first = 'refused 1/3; fails 0; holds 2-3; kinds 0; answers 0';
  const second = 'refused 1/3; fails 1; holds 2-3; kinds 0; answers 0';
  expect(isBorneOutBy(found, { first })).toBe(true);
  expect(isBorneOutBy(found, { first, second })).toBe(false);
  const wide = 'refused 4/4; fails 0-3; kinds 0; answers 0';
  expect(isBorneOutBy(found, { wide })).toBe(true);
});

test('is borne out where only the shape of the answers tells it from another', () => {
  const known = bugs({ narrow: `${NARROW}; shapes aaaa`, twin: `${NARROW}; shapes bbbb` });
  const [narrow, twin] = known.map((bug) => isBorneOut(bug, [], symptoms('a b', 'c d'), known, noInvariant));
  expect([narrow, twin]).toEqual([true, false]);
});

test('does not hold against a bug what another bug of the explanation makes', () => {
  const known = bugs({ narrow: NARROW, other: 'refused 1/3; fails 2; holds 3; kinds 0; answers 0' });
  const [narrow, other] = known;
  if (narrow === undefined || other === undefined) throw new Error('two bugs are known');
  expect(isBorneOut(narrow, [other], symptoms('a b c', 'd'), known, noInvariant)).toBe(true);
  expect(isBorneOut(narrow, [], symptoms('a b c', 'd'), known, noInvariant)).toBe(false);
});

test('does not hold against a bug where an invariant held, if another bug may have left it nothing to judge', () => {
  const known = bugs({
    wide: 'refused 4/4; fails 0-3; kinds 0; answers 0',
    other: 'accepted 1/1; fails 0; kinds 0',
  });
  const [wide, other] = known;
  if (wide === undefined || other === undefined) throw new Error('two bugs are known');
  const found = symptoms('a b c', 'd');
  expect(isBorneOut(wide, [other], found, known, () => true)).toBe(true);
  expect(isBorneOut(wide, [], found, known, () => true)).toBe(false);
  expect(isBorneOut(wide, [other], found, known, () => false)).toBe(false);
});

test('is borne out by many failures that only several others would explain', () => {
  const inputs = ['a', 'b', 'c', 'd', 'e', 'f'];
  const wide = 'refused 6/6; fails 0-5; kinds 0; answers 0';
  const halves = {
    one: 'refused 3/6; fails 0-2; kinds 0; answers 0',
    two: 'refused 3/6; fails 3-5; kinds 0; answers 0',
  };
  const known = bugs({ wide, ...halves }, inputs);
  const [first] = known;
  if (first === undefined) throw new Error('three bugs are known');
  expect(isBorneOut(first, [], symptoms('a b c d e f', ''), known, noInvariant)).toBe(true);
  const withTwin = bugs({ wide, ...halves, twin: wide }, inputs);
  expect(
    withTwin
      .slice(0, 1)
      .some((bug) => isBorneOut(bug, [], symptoms('a b c d e f', ''), withTwin, noInvariant)),
  ).toBe(false);
});
