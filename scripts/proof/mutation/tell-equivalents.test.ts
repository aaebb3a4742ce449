import { expect, test } from 'vitest';
import type { Mutant } from './mutant.ts';
import { tellEquivalents } from './tell-equivalents.ts';

const mutant = (to: string, fate: Mutant['fate'], file = 'errors/a.ts'): Mutant => ({
  file,
  line: 'if (a > b) return;',
  from: 'a > b',
  to,
  fate,
});
const known = (to: string, file = 'errors/a.ts') => ({
  because: 'a and b never are equal',
  mutants: [{ file, line: 'if (a > b) return;', from: 'a > b', to }],
});

test('tells survivors that are known from those that are not', () => {
  const [equal, never, noticed] = [
    mutant('a >= b', 'survived'),
    mutant('false', 'survived'),
    mutant('true', 'noticed'),
  ];
  expect(tellEquivalents([equal, never, noticed], [known('a >= b')])).toEqual({
    equivalent: [equal],
    unexplained: [never],
    stale: [],
  });
});

test('tells what is known in vain: noticed after all, or there no more', () => {
  const { stale } = tellEquivalents([mutant('true', 'noticed')], [known('true'), known('a >= b')]);
  expect(stale).toHaveLength(2);
});

test('asks nothing of what is known of files that were not mutated', () => {
  expect(tellEquivalents([mutant('true', 'noticed')], [known('true', 'limits/b.ts')]).stale).toEqual([]);
});
