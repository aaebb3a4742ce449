import { expect, test } from 'vitest';
import type { Fate, RememberedFailure } from '../../../suites/engine/model/remembered.ts';
import type { CheckResult, Verdict } from '../../../suites/engine/model/summary.ts';
import { SUMMARY } from '../../../suites/engine/test-support/summary.ts';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { Memory } from './memory.ts';
import { changesLine } from './what-failed-before.ts';

const REMEMBERED: RememberedFailure = {
  check: 'a',
  code: 'accepted',
  input: { stimulus: 'words', text: '"a"' },
};
const [PASSED] = SUMMARY.checks;

function result(verdict: Verdict, change: Partial<CheckResult> = {}): CheckResult {
  if (PASSED === undefined) throw new Error('the summary of the tests has no check');
  return { ...PASSED, id: 'a', verdict, ...change };
}

const FAILED = result('fail', { failures: [{ code: 'accepted', trials: 1 }] });
const fated = (...fates: readonly Fate[]): Partial<CheckResult> => ({
  before: fates.map((fate) => ({ code: 'accepted', fate })),
});

interface Run {
  readonly checks: readonly CheckResult[];
  readonly remembered?: readonly RememberedFailure[];
}

function memoryOf(...runs: readonly Run[]): Memory {
  const memory = new Memory({});
  for (const run of runs) memory.note(run);
  return memory;
}

const failing: Run = { checks: [FAILED], remembered: [REMEMBERED] };
const passing: Run = { checks: [result('pass')] };

test.each<[string, readonly Run[], boolean]>([
  ['a failure', [failing], true],
  ['one that a later run decided', [failing, passing], false],
  ['one that a later run passed on', [failing, { checks: [result('pass')], remembered: [REMEMBERED] }], true],
  ['one that a later run did not check', [failing, { checks: [] }], true],
  ['one of which the report is gone', [{ checks: [], remembered: [REMEMBERED] }], true],
  ['one that came after a run that passed', [passing, { checks: [], remembered: [REMEMBERED] }], true],
  [
    'one that is known by now',
    [failing, { ...failing, checks: [result('fail', { known: ['later'] })] }],
    false,
  ],
  ['a warning', [{ ...failing, checks: [result('warn')] }], false],
])('remembers, or forgets, %s', (_what, runs, isRemembered) => {
  expect(memoryOf(...runs).failures).toEqual(isRemembered ? [REMEMBERED] : []);
});

test('remembers the failures in the report of an older release, without inputs', () => {
  expect(memoryOf({ checks: [FAILED] }).failures).toEqual([{ check: 'a', code: 'accepted' }]);
});

test('selects a failed check by its ID, and the checks that send what broke an invariant', () => {
  const input = { stimulus: 'one-silent-request', text: '' };
  const remembered = [{ check: 'never-fails', code: 'failed', input }, REMEMBERED];
  const memory = memoryOf({ checks: [], remembered });
  const senders = CATALOGUE.checks.map(({ id }) => id);
  expect(memory.wordsFor(new Set(['never-fails']), CATALOGUE.checks)).toEqual(['never-fails', ...senders]);
  expect(memory.wordsFor(new Set(['a']), CATALOGUE.checks)).toEqual(['a']);
});

test.each<[string, Memory, CheckResult, string | undefined]>([
  ['it was fixed', memoryOf(failing), result('pass', fated('fixed')), 'Fixed: a'],
  [
    'one of its inputs was not sent',
    memoryOf(failing),
    result('pass', fated('fixed', 'not sent again')),
    'Not sent again: a',
  ],
  [
    'its input gets another wrong answer, which no check of it decides',
    memoryOf(failing),
    result('inconclusive', fated('fails differently')),
    'Fails differently: a',
  ],
  [
    'its input was sent in vain',
    memoryOf(failing),
    result('inconclusive', fated('undecided')),
    'Undecided: a',
  ],
  [
    'only a whole run decides',
    memoryOf(failing),
    result('pass', fated('not seen again')),
    'Not seen again (a whole run as large as before decides): a',
  ],
  ['an older report has no input of it', memoryOf(failing), result('pass'), 'Not sent again: a'],
  ['it failed in a run that passed before', memoryOf(passing), FAILED, 'New: a'],
  ['nobody knows what it did before', memoryOf(), FAILED, 'Fails: a'],
  ['it never failed', memoryOf(passing), result('pass'), undefined],
])('says of a check, given that %s: %s', (_what, before, now, line) => {
  expect(changesLine({ checks: [now] }, before, new Set())).toBe(line);
});
