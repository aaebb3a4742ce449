import { expect, test } from 'vitest';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { HOLDS, inconclusive, notExercised, observed, type Ruling, violated } from '../model/ruling.ts';
import type { Profile } from '../model/target.ts';
import { answered } from '../test-support/exchange.ts';
import { dutyResults, type Tally, tallyOf, verdictOf } from './findings.ts';

const VIOLATED = violated('accepted', 'a refusal', 'a completion');
const FRAMING = observed({ point: 'stream.framing', value: 'chunks' });
const FIELDS = observed({ point: 'response.fields', value: ['choices'] });
const SEVERAL = observed(
  { point: 'stream.framing', value: 'chunks' },
  { point: 'stream.event_names', value: [] },
  { point: 'stream.newline', value: 'crlf' },
);
const NO_ANSWER = new TypeError('no answer');
const UNREAD = notExercised('members with unknown names may be it', 'pin it');
const UNASKED = notExercised('not asked');

/** These rulings, on trials that sent a request each. */
function counted(rulings: readonly (Ruling | Error)[], { pins }: Profile = {}): Tally {
  const trial = { exchanges: [answered({})] };
  return tallyOf(
    rulings.map((ruling) => ({ ruling, trial })),
    pins,
  );
}

const pins = (framing: unknown): Profile => ({ pins: { 'stream.framing': framing } });
const OPEN = 'observed: the specification leaves it open';
const HALF_READ =
  'inconclusive: 1 passed, 2 could not be read, since members with unknown names may be it (pin it)';
const TWO_OF_THREE = 'expected a refusal; got a completion (2 of 3 trials)';

test.each<[string, readonly (Ruling | Error)[], string, Level?, Profile?]>([
  ['what held, and nothing violated', [HOLDS, UNASKED, inconclusive('it failed'), FRAMING], 'pass'],
  ['one answer read of two', [HOLDS, UNREAD], 'pass'],
  ['most answers not read', [HOLDS, UNREAD, UNREAD], HALF_READ],
  ['a violation among answers not read', [HOLDS, UNREAD, UNREAD, VIOLATED], 'fail: expected'],
  ['a violation', [HOLDS, VIOLATED, VIOLATED], `fail: ${TWO_OF_THREE}`],
  ['a violation of what is implied', [HOLDS, VIOLATED, VIOLATED], `fail: ${TWO_OF_THREE}`, 'implied'],
  ['a violation of a convention', [HOLDS, VIOLATED, VIOLATED], `warn: ${TWO_OF_THREE}`, 'convention'],
  ['an open point that was asserted', [VIOLATED], 'error: internal error: an open point', 'open'],
  ['an exception', [VIOLATED, NO_ANSWER], 'error: internal error: TypeError: no answer'],
  ['an observation, and no pins', [FRAMING, inconclusive('it failed')], OPEN, 'open'],
  ['an observation, and other pins', [FRAMING], OPEN, 'open', { pins: { 'stream.newline': 'lf' } }],
  ['what is pinned', [FRAMING], 'pass', 'open', pins('chunks')],
  ['a list that is pinned', [FIELDS], 'pass', 'open', { pins: { 'response.fields': ['choices'] } }],
  ['one pinned of several', [SEVERAL], 'pass', 'open', pins('chunks')],
  [
    'one that drifts among several',
    [HOLDS, SEVERAL],
    'fail: the profile pins stream.newline to "lf"; got "crlf"',
    'stated',
    { pins: { 'stream.framing': 'chunks', 'stream.newline': 'lf' } },
  ],
  ['a doubt, and what was not exercised', [UNREAD, inconclusive('it failed')], 'inconclusive: it failed'],
  ['the first hint, wherever it is', [UNASKED, UNREAD, notExercised('c', 'd')], 'not-exercised: members'],
  [
    'what a cap left out, whatever precedes it',
    [UNASKED, notExercised('not sent: the cap of 2 requests was reached')],
    'not-exercised: not sent: the cap',
  ],
  ['nothing', [], 'not-exercised: the run got no answer of the kind that this check judges'],
])('returns the verdict, given %s', (_, rulings, expected, level = 'stated', profile = {}) => {
  const { verdict, reason, hint } = verdictOf(counted(rulings, profile), level);
  const words = `${verdict}${reason === '' ? '' : `: ${reason}`}${hint === undefined ? '' : ` (${hint})`}`;
  expect(words.slice(0, expected.length)).toBe(expected);
  expect(reason === '').toBe(verdict === 'pass');
});

test.each([
  ['at holds (file:///srv/my checks.ts?v=7:31:5)', ' (checks.ts:31)'],
  ['at node:internal/x:1:2\n    at C:\\srv\\own.mjs:5:6', ' (own.mjs:5)'],
  ['at /srv/view.html:3:4 quoted\n    at async /srv/own.mjs:9:1', ' (own.mjs:9)'],
  ['at <anonymous>', ''],
])('names the line of the user that threw, given a stack with %s', (frames, where) => {
  const broken = Object.assign(new TypeError('no answer'), { stack: `TypeError: no answer\n    ${frames}` });
  const { reason } = verdictOf(counted([broken]), 'stated', true);
  expect(reason).toBe(`your check threw TypeError: no answer${where}`);
});

test('counts an answer as not read only where there was one', () => {
  const nothing = tallyOf([{ ruling: UNREAD, trial: { exchanges: [] } }]);
  expect([nothing.unreadable, counted([UNREAD, UNASKED]).unreadable]).toEqual([0, 1]);
});

test('returns every observation that is not as it is pinned', () => {
  const profile = { pins: { 'stream.framing': 'chunks', 'response.fields': ['choices'] } };
  const rulings = [
    FRAMING,
    FIELDS,
    observed({ point: 'stream.framing', value: 'whole' }, { point: 'stream.newline', value: 'crlf' }),
    observed({ point: 'response.fields', value: ['choices', 'id'] }),
  ];
  expect(counted(rulings, profile).drifts).toMatchObject([
    { finding: { code: 'drift', path: 'stream.framing' } },
    { finding: { path: 'response.fields', expected: '["choices"], as the profile pins it' } },
  ]);
  expect(counted(rulings).drifts).toEqual([]);
});

const NO_CONTROL = notExercised('needs --control-url');

test.each<[string, string | readonly string[], readonly Ruling[], readonly string[]]>([
  ['its one duty', 'text', [HOLDS], ['text pass']],
  ['its one duty, not exercised', 'text', [UNASKED], ['text not-exercised not asked']],
  [
    'each of several by the trials that bear on it',
    ['text', 'stream', 'image'],
    [{ ...HOLDS, duties: ['text'] }, { ...inconclusive('it broke'), duties: ['text', 'stream'] }, HOLDS],
    ['text pass', 'stream inconclusive it broke', 'image not-exercised no exchange tested it'],
  ],
  [
    'all of several by what kept the check from being exercised',
    ['text', 'stream'],
    [NO_CONTROL],
    ['text not-exercised needs --control-url', 'stream not-exercised needs --control-url'],
  ],
])('gives a verdict on %s', (_, decides, rulings, expected) => {
  const { duties = [] } = dutyResults(decides, counted(rulings), (each) => verdictOf(each, 'stated'));
  expect(duties.map(({ duty, verdict, reason }) => `${duty} ${verdict} ${reason}`.trim())).toEqual(expected);
});
