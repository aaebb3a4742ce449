import { expect, test } from 'vitest';
import type { KnownFailure } from '../model/entry-schema.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { applyBaseline, knownFailures, makeBaseline } from './apply-baseline.ts';

const TODAY = '2026-06-15';
const CHECK = 'unknown-field-refused';
const LISTED: KnownFailure = { check: CHECK, reason: 'to be fixed in spring' };
const FAILED = { ...TROUBLED, uncertain: [], cutShort: [] };

function withResult(change: Partial<CheckResult>, summary: Summary = FAILED): Summary {
  return { ...summary, checks: summary.checks.map((check) => ({ ...check, ...change })) };
}

function applied(summary: Summary, ...entries: readonly Partial<KnownFailure>[]) {
  const listed = entries.map((entry) => ({ ...LISTED, ...entry }));
  const run = { ...summary, startedAt: `${TODAY}T23:59:59.000Z` };
  const { checks, outcome, baseline } = applyBaseline(run, listed);
  return { known: checks[0]?.known, outcome, ...baseline };
}

const ACCEPTED = { code: 'accepted' };
const AT = { code: 'accepted', path: '/n' };
const CRASHED = { code: 'crashed' };
const KNOWN = { known: ['to be fixed in spring'], outcome: 'conformant', problems: [] };
const UNKNOWN = { known: undefined, outcome: 'violations', problems: [] };
const EXPIRED = `${CHECK} was accepted until 2026-06-14`;
const MENDED = { ...UNKNOWN, problems: [expect.stringContaining('no longer fails in this way: remove it')] };
const TWO_WAYS = withResult({ failures: [AT, CRASHED].map((kind) => ({ ...kind, trials: 1 })) });
const PART = { inputs: { tried: 18, of: 277 } };
const NO_ROOM = 'not sent: the cap of 80 completions was reached';

test.each<[string, Summary, readonly Partial<KnownFailure>[], object]>([
  ['its check', FAILED, [{}], KNOWN],
  ['its code', FAILED, [{ failure: ACCEPTED }], KNOWN],
  ['its code and path', FAILED, [{ failure: AT }], KNOWN],
  ['another code', FAILED, [{ failure: { code: 'no-error-object' } }], MENDED],
  ['another path', FAILED, [{ failure: { ...AT, path: '/m' } }], MENDED],
  ['equal entries', FAILED, [{ failure: CRASHED }, { failure: CRASHED }], MENDED],
  ['one of two ways', TWO_WAYS, [{ failure: ACCEPTED }], UNKNOWN],
  ['both ways', TWO_WAYS, [{ failure: ACCEPTED }, { failure: CRASHED }], KNOWN],
  ['its last day', FAILED, [{ until: TODAY }], KNOWN],
  ['the day before', FAILED, [{ until: '2026-06-14' }], { ...UNKNOWN, problems: [EXPIRED] }],
  ['a warning', withResult({ verdict: 'warn' }), [{}], { known: KNOWN.known }],
  ['an error of ours', withResult({ verdict: 'error' }), [{}], { outcome: 'incomplete', problems: [] }],
  ['a doubt', withResult({ verdict: 'inconclusive' }), [{}], { known: undefined, problems: [] }],
  ['a check that was not selected', SUMMARY, [{ check: 'other' }], { outcome: 'conformant', problems: [] }],
  ['a run that was cut short', TROUBLED, [{}], { outcome: 'incomplete' }],
  ['a failure beside, in a part of the inputs', withResult(PART), [{ failure: CRASHED }], UNKNOWN],
])('knows or does not know a failure that is listed, given %s', (_, summary, entries, expected) => {
  expect(applied(summary, ...entries)).toMatchObject(expected);
});

const REMOVE = [expect.stringContaining('no longer fails: remove it')];

test.each([
  ['pass', '', 'violations', REMOVE],
  ['observed', '', 'violations', REMOVE],
  ['not-exercised', '', 'violations', [expect.stringContaining('was not exercised')]],
  ['not-exercised', NO_ROOM, 'incomplete', []],
] as const)('judges the entry of a check that is %s: %s', (verdict, reason, outcome, problems) => {
  const summary = withResult({ verdict, reason, failures: [] });
  expect(applied(summary, {})).toMatchObject({ outcome, problems });
});

test('knows for a run what is listed and has not expired', () => {
  const gone = { ...LISTED, check: 'gone', until: '2026-06-14' };
  const { checks, lists } = knownFailures([{ ...LISTED, failure: ACCEPTED }, gone], TODAY);
  expect([...checks]).toEqual([CHECK]);
  expect([lists(CHECK, AT), lists(CHECK, { code: 'crashed' })]).toEqual([true, false]);
  expect(lists('gone', ACCEPTED)).toBe(false);
});

const MADE = { check: CHECK, failure: AT, reason: 'to be explained: expected a refusal; got status 200' };
const ELSEWHERE = { check: 'another-check', reason: 'not selected' };
const UNEXERCISED = withResult({ verdict: 'not-exercised', failures: [] });
const UNSEEN = withResult({ ...PART, verdict: 'pass', failures: [], evidence: [] });

test.each<[string, Summary, readonly KnownFailure[], readonly KnownFailure[]]>([
  ['says what happened', FAILED, [], [MADE]],
  [
    'keeps what is listed',
    FAILED,
    [{ ...LISTED, until: '2026-01-01' }, ELSEWHERE],
    [{ ...LISTED, until: '2026-01-01' }, ELSEWHERE],
  ],
  ['keeps what was not exercised', UNEXERCISED, [LISTED, ELSEWHERE], [LISTED, ELSEWHERE]],
  ['keeps what did not occur in a part of the inputs', UNSEEN, [MADE], [MADE]],
  ['drops what is fixed', SUMMARY, [LISTED], []],
  ['drops another way of failing', FAILED, [{ ...LISTED, failure: { code: 'crashed' } }], [MADE]],
  ['lists no error of the suites', withResult({ verdict: 'error' }), [], []],
])('makes a baseline that %s', (_, summary, before, after) => {
  expect(makeBaseline(summary, before)).toEqual(after);
});

test('accepts an entry that did not occur in some of the inputs, and warns', () => {
  expect(applied(UNSEEN, MADE)).toMatchObject({ problems: [] });
  expect(applyBaseline(UNSEEN, [MADE]).warnings.at(-1)).toBe(
    `${CHECK} (accepted at /n) is a known failure, but did not occur in the 18 of 277 inputs that were tried`,
  );
});
