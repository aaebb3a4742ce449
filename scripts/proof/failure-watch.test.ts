import { expect, test } from 'vitest';
import { check } from '../../suites/kit/model/check.ts';
import { answered } from '../../suites/kit/test-support/exchange.ts';
import { surveyForTest } from '../../suites/kit/test-support/survey.ts';
import { HOLDS, inconclusive, observed, type Ruling, violated } from '../../suites/kit/model/ruling.ts';
import { stimulus } from '../../suites/kit/model/stimulus.ts';
import type { Catalogue } from '../cli/options/select-checks.ts';
import { FailureWatch } from './failure-watch.ts';

const silence = stimulus({
  name: 'silence',
  stage: 'free',
  few: 0,
  cost: () => ({}),
  inputs: () => ({ first: [] }),
  send: () => Promise.resolve({ exchanges: [] }),
});

/** A check and an invariant that rule as they are told. */
function ruling(rule: Ruling, uncertain?: Ruling): Catalogue {
  const about = { clauses: ['REQ-6'] as const, title: 'rules as it is told' };
  const tells = uncertain && { tellsUncertain: () => uncertain };
  return {
    checks: [check({ id: 'one', ...about, clauses: ['REQ-6'], given: silence, holds: () => rule, ...tells })],
    invariants: [{ id: 'all', ...about, clauses: ['ERR-2'], judge: () => () => rule }],
  };
}

const FAILS = violated('accepted', 'an error', 'none');
const [first, second, third] = [answered(), answered(), answered()];

function watching(catalogue: Catalogue, pins = {}) {
  const watch = new FailureWatch();
  for (const exchange of [first, second, third]) watch.ended(exchange);
  const { checks, invariants } = watch.watched(catalogue);
  return { watch, check: checks[0], invariant: invariants[0], survey: surveyForTest({ profile: { pins } }) };
}

test('counts a failure from the last of its exchanges, its control among them', () => {
  const { watch, check: one, survey } = watching(ruling(FAILS));
  expect(one?.holds({ exchanges: [first], control: second }, survey)).toEqual(FAILS);
  expect(watch.firstFailureOf('one')).toBe(2);
});

test('remembers the earliest of several failures', () => {
  const { watch, check: one, survey } = watching(ruling(FAILS));
  one?.holds({ exchanges: [third] }, survey);
  one?.holds({ exchanges: [first] }, survey);
  expect(watch.firstFailureOf('one')).toBe(1);
});

test('counts the failure of an invariant', () => {
  const { watch, invariant, survey } = watching(ruling(FAILS));
  expect(invariant?.judge(survey)(second)).toEqual(FAILS);
  expect(watch.firstFailureOf('all')).toBe(2);
});

test('counts what an uncertain outcome tells', () => {
  const { watch, check: one, survey } = watching(ruling(HOLDS, FAILS));
  expect(one?.tellsUncertain?.({ exchanges: [third] }, survey)).toEqual(FAILS);
  expect(watch.firstFailureOf('one')).toBe(3);
});

test.each([
  ['a ruling that holds', HOLDS, {}],
  ['one that tells nothing', inconclusive('nobody knows'), {}],
  ['an observation of what nobody pinned', observed({ point: 'stream.newline', value: 'lf' }), {}],
  [
    'an observation as pinned',
    observed({ point: 'stream.newline', value: 'lf' }),
    { 'stream.newline': 'lf' },
  ],
])('counts no failure given %s', (_, rule, pins) => {
  const { watch, check: one, survey } = watching(ruling(rule), pins);
  expect(one?.holds({ exchanges: [first] }, survey)).toEqual(rule);
  expect(watch.firstFailureOf('one')).toBeUndefined();
});

test('counts an observation that a pin forbids', () => {
  const rule = observed({ point: 'stream.newline', value: 'lf' });
  const { watch, check: one, survey } = watching(ruling(rule), { 'stream.newline': 'crlf' });
  one?.holds({ exchanges: [first] }, survey);
  expect(watch.firstFailureOf('one')).toBe(1);
});
