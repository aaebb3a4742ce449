import { expect, test } from 'vitest';
import type { Draft } from '../kit/draft.ts';
import { kindsOf, REFUSED, rulingsOf, SERVED } from '../kit/for-test/rulings-for-test.ts';
import { surveyForTest } from '../kit/for-test/survey-for-test.ts';
import { missingKeyRefused, wrongKeyRefused } from './key-required.ts';
import { missingScopeObserved, scopeRequired } from './scope-required.ts';

/** A service that asks for no key at one of its paths. */
const openAt = (path: string) => (draft: Draft) =>
  draft.credential === undefined || draft.path === path ? SERVED : REFUSED;

const CHECKS = [missingKeyRefused, wrongKeyRefused, scopeRequired];

test.each(CHECKS)('$id: holds given a service that refuses every key but the primary', async (check) => {
  expect(await kindsOf(check, ({ credential }) => (credential === undefined ? SERVED : REFUSED))).toEqual([
    'holds',
  ]);
});

test.each(CHECKS)('$id: is violated given a service that asks nobody for a key', async (check) => {
  expect(await kindsOf(check, () => SERVED)).toEqual(['violated']);
});

test.each(CHECKS)('$id: is not exercised given a service that refuses the primary key too', async (check) => {
  expect(await kindsOf(check, () => REFUSED)).toEqual(['not-exercised']);
});

test.each(CHECKS)('$id: is violated on each endpoint that is open', async (check) => {
  for (const path of ['/models', '/vision-capabilities', '/chat/completions']) {
    expect((await kindsOf(check, openAt(path))).toSorted()).toEqual(['holds', 'violated']);
  }
});

test('tries the first credential at every door, streamed chats included, and each other one soon', () => {
  const doors = (count: number): number =>
    new Set(
      wrongKeyRefused.given
        .inputs(surveyForTest())
        .first.slice(0, count)
        .map((input) => JSON.stringify(input)),
    ).size;
  expect(doors(15)).toBe(15);
});

test('scope-required: lacks a key given none without the scope', () => {
  const { given } = scopeRequired;
  expect(given.lacks?.(surveyForTest())).toContain('CHAT_UNSCOPED_API_KEY');
  expect(given.lacks?.(surveyForTest({ keys: new Set(['primary', 'unscoped']) }))).toBeUndefined();
});

test('missing-scope-error: observes status and code given a refusal', async () => {
  const [ruling] = await rulingsOf(missingScopeObserved, () => REFUSED);
  expect(ruling).toEqual({
    kind: 'observed',
    observations: [
      { point: 'error.status.missing_scope', value: 400 },
      { point: 'error.code.missing_scope', value: 'invalid' },
    ],
  });
});

test('missing-scope-error: observes nothing given a service that serves', async () => {
  expect(await kindsOf(missingScopeObserved, () => SERVED)).toEqual(['not-exercised']);
});
