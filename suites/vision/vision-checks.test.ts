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

const REFUSAL = { status: 400, body: { error: { code: 'x', message: 'y' } } };

test.each<[Check, AnswerForTest, object]>([
  [visionAnswersGet, REFUSAL, { kind: 'violated', finding: { code: 'not-answered' } }],
  [visionAnswersGet, { status: 503, body: {} }, { kind: 'inconclusive' }],
  [visionAnswersGet, { status: 429, body: {} }, { kind: 'inconclusive' }],
  [visionCanBeAsked, REFUSAL, { kind: 'not-exercised' }],
  [visionCanBeAsked, { ...REFUSAL, status: 404 }, { finding: { code: 'no-endpoint' } }],
  [visionCanBeAsked, { body: '' }, { finding: { code: 'says-nothing' } }],
  [visionCanBeAsked, { body: 'null' }, { finding: { code: 'says-nothing' } }],
])('$0.id: rules on %j: %j', (check, answer, expected) => {
  expect(ruling(check, answer)).toMatchObject(expected);
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
