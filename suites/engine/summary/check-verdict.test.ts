import { expect, test } from 'vitest';
import type { Level } from '../../../fixtures/clauses/clauses.ts';
import { HOLDS, inconclusive, notExercised, observed, type Ruling, violated } from '../model/ruling.ts';
import type { Profile } from '../model/target.ts';
import { answered } from '../test-support/exchange.ts';
import { verdictOf, pinMismatches } from './check-verdict.ts';
import { Tally } from './tally.ts';

const VIOLATED = violated('accepted', 'a refusal', 'a completion');
const FRAMING = observed({ point: 'stream.framing', value: 'chunks' });

/** The verdict on a check of a level after these rulings. */
function verdict(rulings: readonly (Ruling | Error)[], level: Level = 'stated', profile: Profile = {}) {
  const tally = new Tally();
  for (const ruling of rulings) tally.add(ruling, { exchanges: [] });
  return verdictOf(tally, level, profile);
}

test('passes given something that held, and nothing violated', () => {
  const rulings = [HOLDS, notExercised('not asked'), inconclusive('it failed'), FRAMING];
  expect(verdict(rulings)).toEqual({ verdict: 'pass', reason: '' });
});

test('does not pass given that most answers could not be read, and says how many', () => {
  const tally = new Tally();
  const sent = { exchanges: [answered({})] };
  const unread = notExercised('members with unknown names may be it', 'pin it');
  for (const ruling of [HOLDS, unread]) tally.add(ruling, sent);
  expect(verdictOf(tally, 'stated', {})).toEqual({ verdict: 'pass', reason: '' });
  tally.add(unread, sent);
  expect(verdictOf(tally, 'stated', {})).toEqual({
    verdict: 'inconclusive',
    reason: 'held 1, unreadable 2: members with unknown names may be it',
    hint: 'pin it',
  });
  for (const ruling of [notExercised('not asked'), unread]) tally.add(ruling, { exchanges: [] });
  expect(tally.unreadable).toBe(2);
  tally.add(VIOLATED, sent);
  expect(verdictOf(tally, 'stated', {}).verdict).toBe('fail');
});

test.each([
  ['stated', 'fail'],
  ['implied', 'fail'],
  ['convention', 'warn'],
] as const)('returns the verdict of a violated check of the level %s: %s', (level, expected) => {
  expect(verdict([HOLDS, VIOLATED, VIOLATED], level)).toEqual({
    verdict: expected,
    reason: 'expected a refusal; got a completion (2 of 3 trials)',
  });
});

test('takes an asserted open point, and any exception, for a failure of ours', () => {
  expect(verdict([VIOLATED], 'open')).toMatchObject({ verdict: 'error' });
  expect(verdict([VIOLATED, new TypeError('no answer')])).toEqual({
    verdict: 'error',
    reason: 'internal error: TypeError: no answer',
  });
});

test('observes given an open point that nothing pins', () => {
  const open = { verdict: 'observed', reason: 'the specification leaves it open' };
  expect(verdict([FRAMING, inconclusive('it failed')], 'open')).toEqual(open);
  expect(verdict([FRAMING], 'open', { pins: {} })).toEqual(open);
  expect(verdict([FRAMING], 'open', { pins: { 'stream.newline': 'lf' } })).toEqual(open);
});

test('passes given what the profile pins, and fails given anything else, whatever its level', () => {
  const pinned = (value: unknown) => ({ pins: { 'stream.framing': value } });
  expect(verdict([FRAMING], 'open', pinned('chunks'))).toEqual({ verdict: 'pass', reason: '' });
  expect(verdict([HOLDS, FRAMING], 'open', pinned('whole'))).toEqual({
    verdict: 'fail',
    reason: 'the profile pins stream.framing to "whole"; got "chunks"',
  });
  const fields = observed({ point: 'response.fields', value: ['choices'] });
  expect(verdict([fields], 'open', { pins: { 'response.fields': ['choices'] } }).verdict).toBe('pass');
});

test('fails given one observation that drifts among others that do not', () => {
  const pins = { 'stream.framing': 'chunks', 'stream.newline': 'lf' };
  const seen = observed(
    { point: 'stream.framing', value: 'chunks' },
    { point: 'stream.event_names', value: [] },
    { point: 'stream.newline', value: 'crlf' },
  );
  expect(verdict([seen], 'open', { pins }).verdict).toBe('fail');
  expect(verdict([seen], 'open', { pins: { 'stream.framing': 'chunks' } }).verdict).toBe('pass');
});

test('says why nothing could be told, a doubt before what was not exercised', () => {
  const unasked = notExercised('not asked', 'pin "stream.text"');
  expect(verdict([unasked])).toEqual({
    verdict: 'not-exercised',
    reason: 'not asked',
    hint: 'pin "stream.text"',
  });
  expect(verdict([unasked, inconclusive('it failed')])).toEqual({
    verdict: 'inconclusive',
    reason: 'it failed',
  });
  expect(verdict([])).toStrictEqual({
    verdict: 'not-exercised',
    reason: 'no answer came of the kind that it judges',
  });
});

const trial = { exchanges: [] };
const PINS = { 'stream.framing': 'chunks', 'response.fields': ['choices'] };

test('returns every observation that is not as it is pinned', () => {
  const sightings = [
    { point: 'stream.framing', value: 'whole', trial },
    { point: 'stream.framing', value: 'chunks', trial },
    { point: 'response.fields', value: ['choices'], trial },
    { point: 'response.fields', value: ['choices', 'id'], trial },
    { point: 'stream.newline', value: 'crlf', trial },
  ];
  expect(pinMismatches(sightings, { pins: PINS })).toMatchObject([
    { point: 'stream.framing', pinned: 'chunks', finding: { code: 'drift', path: 'stream.framing' } },
    { point: 'response.fields', finding: { expected: '["choices"], as the profile pins it' } },
  ]);
});

test('returns none given a profile that pins nothing', () => {
  expect(pinMismatches([{ point: 'stream.framing', value: 'whole', trial }], {})).toEqual([]);
});
