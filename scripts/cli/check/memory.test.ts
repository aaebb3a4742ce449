import { expect, test } from 'vitest';
import type { FATES, RememberedFailure } from '../../../suites/engine/model/stimulus.ts';
import type { CheckResult, Verdict } from '../../../suites/engine/model/summary.ts';
import { SUMMARY } from '../../../suites/engine/test-support/summary.ts';
import { resolveFlags } from '../config/resolve-flags.ts';
import { CATALOGUE } from '../test-support/catalogue.ts';
import { type Memory, memoryOf, changesLine, selectedFlags } from './memory.ts';

const INPUT = { stimulus: 'words', text: '"a"' };
const REMEMBERED: RememberedFailure = { check: 'a', code: 'accepted', input: INPUT };
const [PASSED] = SUMMARY.checks;

function result(verdict: Verdict, change: Partial<CheckResult> = {}): CheckResult {
  if (PASSED === undefined) throw new Error('the summary of the tests has no check');
  return { ...PASSED, id: 'a', verdict, ...change };
}

const FAILED = result('fail', { failures: [{ code: 'accepted', trials: 1 }] });
const fated = (...fates: readonly (typeof FATES)[number][]): Partial<CheckResult> => ({
  before: fates.map((fate) => ({ code: 'accepted', fate })),
});

const FAILING: Memory = [REMEMBERED];
const PASSING: Memory = [];

test.each<[string, CheckResult, boolean]>([
  ['a failure', FAILED, true],
  ['one of a check that passed otherwise', result('pass'), true],
  ['one that is known by now', result('fail', { known: ['later'] }), false],
  ['a warning', result('warn'), false],
])('remembers, or forgets, %s', (_what, check, isRemembered) => {
  const failures = memoryOf({ ...SUMMARY, checks: [check], remembered: [REMEMBERED] });
  expect(failures).toEqual(isRemembered ? [REMEMBERED] : []);
});

test('remembers a warning where it fails the run', () => {
  const run = { ...SUMMARY, checks: [result('warn')], remembered: [REMEMBERED] };
  expect(memoryOf(run, ['warn'])).toEqual([REMEMBERED]);
});

test('selects a failed check by its ID, and the checks that send what broke an invariant', async () => {
  const input = { stimulus: 'one-silent-request', text: '' };
  const [check, other] = CATALOGUE.checks.map(({ id }) => id);
  const failure = { code: 'failed', input };
  const flags = await resolveFlags({ config: false, mock: true, lastFailed: true });
  const only = (...ids: readonly string[]): readonly string[] | undefined => {
    const failed = ids.map((id) => ({ check: id, ...failure }));
    return selectedFlags(flags, CATALOGUE, failed).only;
  };
  expect(only('request-ids-unique')).toEqual(['request-ids-unique', check, other]);
  expect(only(String(check), 'a')).toEqual([check]);
  expect(only('a')).toBeUndefined();
});

test.each<[string, Memory, CheckResult, string | undefined]>([
  ['it was fixed', FAILING, result('pass', fated('fixed')), 'Fixed: a'],
  ['one of its inputs was not sent', FAILING, result('pass', fated('fixed', 'undecided')), 'Undecided: a'],
  ['it fails in another way', FAILING, { ...FAILED, ...fated('fixed') }, 'Still fails: a'],
  [
    'it is known by now',
    FAILING,
    result('fail', { ...fated('still fails'), known: ['later'] }),
    'Still fails: a',
  ],
  ['its input was sent in vain', FAILING, result('inconclusive', fated('undecided')), 'Undecided: a'],
  ['an older report has no input of it', FAILING, result('pass'), 'Undecided: a'],
  ['it failed in a run that passed before', PASSING, FAILED, 'New: a'],
  ['nobody knows what it did before', undefined, FAILED, 'Fails: a'],
  ['it never failed', PASSING, result('pass'), undefined],
])('says of a check, given that %s: %s', (_what, before, now, line) => {
  expect(changesLine({ checks: [now] }, before)).toBe(line);
});
