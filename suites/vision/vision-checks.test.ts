import { expect, test } from 'vitest';
import type { Check } from '../engine/model/check.ts';
import type { Profile } from '../engine/model/target.ts';
import { type AnswerForTest, answeredGet } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { visionAnswersGet, visionCanBeAsked, visionShape } from './vision-capabilities.ts';

function ruling(check: Check, answer: AnswerForTest, profile: Profile = {}) {
  return ruled(check, { exchanges: [answeredGet('/vision-capabilities', answer)] }, infoForTest({ profile }));
}

test.each([
  ['a list of IDs', { models: ['sharp'] }],
  ['an empty list', { models: [] }],
  ['a map', { small: false, sharp: true }],
  ['one flag', { vision: false }],
])('both checks hold given %s', (_, body) => {
  expect([visionAnswersGet, visionCanBeAsked].map((check) => ruling(check, { body }).kind)).toEqual([
    'holds',
    'holds',
  ]);
});
test('violates VIS-1, and SVC-3 where nothing is there, given a refusal', () => {
  const refusal = { status: 400, body: { error: { code: 'x', message: 'y' } } };
  expect(ruling(visionAnswersGet, refusal)).toMatchObject({
    kind: 'violated',
    finding: { code: 'not-answered' },
  });
  expect(ruling(visionCanBeAsked, refusal).kind).toBe('not-exercised');
  expect(ruling(visionCanBeAsked, { ...refusal, status: 404 })).toMatchObject({
    finding: { code: 'no-endpoint' },
  });
  expect(ruling(visionAnswersGet, { status: 503, body: {} }).kind).toBe('inconclusive');
  expect(ruling(visionAnswersGet, { status: 429, body: {} }).kind).toBe('inconclusive');
});

test('violates SVC-3 given an answer that says nothing', () => {
  for (const body of ['', 'null']) {
    expect(ruling(visionCanBeAsked, { body })).toMatchObject({ finding: { code: 'says-nothing' } });
  }
});

test('leaves open what it does not recognise, and says what to pin', () => {
  const body = { q: { seers: ['sharp', 'small'] }, models: 3 };
  const unheard = { when: [{ who: 'sharp' }] };
  expect(ruling(visionCanBeAsked, { body: unheard })).toMatchObject({
    kind: 'not-exercised',
    hint: expect.stringContaining('pin "vision.list" in a profile'),
  });
  expect(ruling(visionShape, { body }, { pins: { 'vision.list': '/q/seers' } })).toMatchObject({
    observations: [{ value: 'ids' }, { value: '/q/seers' }],
  });
});

test('observes the shape', () => {
  expect(ruling(visionShape, { body: { data: [{ id: 'sharp', vision: true }] } })).toEqual({
    kind: 'observed',
    observations: [
      { point: 'vision.shape', value: 'records' },
      { point: 'vision.list', value: '/data' },
    ],
  });
  expect(ruling(visionShape, { body: { vision: true } })).toEqual({
    kind: 'observed',
    observations: [{ point: 'vision.shape', value: 'flag' }],
  });
});

test('observes null at what is pinned given nothing that it recognises, and leaves it open given no pin', () => {
  const unheard = { body: { when: [{ who: 'sharp' }] } };
  expect(ruling(visionShape, unheard, { pins: { 'vision.shape': 'ids' } })).toEqual({
    kind: 'observed',
    observations: [{ point: 'vision.shape', value: null }],
  });
  expect(ruling(visionShape, unheard)).toMatchObject({
    kind: 'not-exercised',
    hint: expect.stringContaining('pin "vision.list" in a profile'),
  });
});
