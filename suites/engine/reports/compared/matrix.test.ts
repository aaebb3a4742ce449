import { expect, test } from 'vitest';
import { SUMMARY } from '../../test-support/summary.ts';
import { clauseMatrix } from './matrix.ts';

const FAILS = SUMMARY.clauses.map((each) =>
  each.id === 'REQ-6' ? { ...each, verdict: 'fail' as const } : each,
);

const passing = { name: 'staging', summary: SUMMARY };
const failing = { name: 'production', summary: { outcome: 'violations', clauses: FAILS } } as const;
const absent = { name: 'gone' };

/** The first words of each line of a table. */
function cells(table: string): readonly (readonly string[])[] {
  const lines = table.split('\n').filter((line) => line.startsWith('| '));
  return lines.map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -2),
  );
}

test('returns every clause for a file, and on a terminal those that differ', () => {
  const { whole, telling } = clauseMatrix([passing, failing, absent]);
  const head = [
    ['clause', 'staging', 'production', 'gone'],
    [expect.stringMatching(/^-+$/), expect.anything(), expect.anything(), expect.anything()],
    ['outcome', 'conformant', 'violations', 'did not begin'],
    ['REQ-6', 'pass', 'fail', '–'],
  ];
  expect(cells(whole)).toEqual([...head, ['RES-5', 'not-exercised', 'not-exercised', '–']]);
  expect(cells(telling)).toEqual(head);
  expect(telling).toContain('\n1 other clause: alike where a run began, and no failure');
});

test('returns on a terminal what fails everywhere, and not what passes everywhere', () => {
  expect(clauseMatrix([failing, { ...failing, name: 'other' }]).telling).toContain('REQ-6');
  expect(clauseMatrix([passing, { ...passing, name: 'other' }]).telling).not.toContain('REQ-6');
});
