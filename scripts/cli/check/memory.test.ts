import { expect, test } from 'vitest';
import type { CheckResult, Verdict } from '../../../suites/kit/model/summary.ts';
import { SUMMARY } from '../../../suites/kit/test-support/summary.ts';
import { Memory } from './memory.ts';
import { changesLine } from './what-failed-before.ts';

const INPUT = { stimulus: 'words', text: '"a"' };
const [PASSED] = SUMMARY.checks;

function result(verdict: Verdict, change: Partial<CheckResult> = {}): CheckResult {
  if (PASSED === undefined) throw new Error('the summary of the tests has no check');
  return { ...PASSED, id: 'a', verdict, ...change };
}

const FAILED = result('fail', {
  evidence: [
    {
      finding: { code: 'accepted', expected: 'e', actual: 'a' },
      input: INPUT,
      exchange: {
        id: 'words/0',
        request: { method: 'GET', path: '/', credential: '', headers: {} },
        outcome: '',
      },
      curl: '',
    },
  ],
});
const fated = (...fates: readonly ('fixed' | 'not sent again')[]): Partial<CheckResult> => ({
  before: fates.map((fate) => ({ code: 'accepted', fate })),
});

function memoryOf(...results: readonly CheckResult[]): Memory {
  const memory = new Memory({});
  for (const each of results) memory.note([each]);
  return memory;
}

test.each<[string, CheckResult | undefined, boolean]>([
  ['a failure', undefined, true],
  ['one that was sent again and passed', result('pass', fated('fixed')), false],
  ['one of which another run sent nothing', result('not-exercised'), true],
  ['one that was not sent again, although the check passed', result('pass', fated('not sent again')), true],
  ['one that is known by now', result('fail', { known: ['later'] }), false],
])('remembers, or forgets, %s', (_what, later, isRemembered) => {
  const memory = memoryOf(FAILED, ...(later === undefined ? [] : [later]));
  const failures = isRemembered ? [{ check: 'a', code: 'accepted', input: INPUT }] : [];
  expect(memory.failuresOf(new Set(['a', 'b']))).toEqual(failures);
  expect(memory.failuresOf(new Set(['b']))).toEqual([]);
});

test.each<[string, Memory, CheckResult, string | undefined]>([
  ['it was fixed', memoryOf(FAILED), result('pass', fated('fixed')), 'Fixed: a'],
  [
    'one of its inputs was not sent',
    memoryOf(FAILED),
    result('pass', fated('fixed', 'not sent again')),
    'Not sent again: a',
  ],
  ['an older report has no input of it', memoryOf(FAILED), result('pass'), 'Not sent again: a'],
  ['it failed in a run that passed before', memoryOf(result('pass')), FAILED, 'New: a'],
  ['nobody knows what it did before', memoryOf(), FAILED, 'Fails: a'],
  ['it never failed', memoryOf(result('pass')), result('pass'), undefined],
])('says of a check, given that %s: %s', (_what, before, now, line) => {
  expect(changesLine({ checks: [now] }, before, new Set())).toBe(line);
});
