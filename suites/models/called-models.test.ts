import { expect, test } from 'vitest';
import { answered, type AnswerForTest, errorAnswer } from '../engine/test-support/exchange.ts';
import { senderForTest, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import {
  listedModelsAvailable,
  listedModelsReturnChoices,
  listedModelsServed,
  otherKeysModelsRefused,
  unlistedModelIsError,
  unlistedModelsRefused,
} from './called-models.ts';

const INFO = infoForTest();
const SERVED: AnswerForTest = { body: { choices: [{ message: { content: 'Hi.' } }] } };
const REFUSED = errorAnswer('unknown_model', 404);
const UNAVAILABLE = errorAnswer('unavailable', 503);

function chat(model: string, answer: AnswerForTest) {
  return answered(answer, { model, messages: [{ role: 'user', content: 'Hi.' }] });
}

const BROKE = { status: 402, body: {} };
const [JOB, ACCEPTED] = [{ body: { job: 7 } }, { status: 202, body: { job: 7 } }];
const STREAMED = { body: 'data: {"choices":[]}\n\n' };

/** The rulings on whether it is served, and whether it returns choices. */
test.each<[string, AnswerForTest, AnswerForTest | undefined, string, string]>([
  ['sharp', SERVED, SERVED, 'holds', 'holds'],
  ['sharp', REFUSED, SERVED, 'violated', 'not-exercised'],
  ['sharp', REFUSED, REFUSED, 'not-exercised', 'not-exercised'],
  ['sharp', ACCEPTED, SERVED, 'inconclusive', 'violated'],
  ['sharp', JOB, SERVED, 'inconclusive', 'violated'],
  ['sharp', { status: 302 }, SERVED, 'violated', 'not-exercised'],
  ['sharp', STREAMED, SERVED, 'holds', 'not-exercised'],
  ['sharp', { ...REFUSED, status: 200 }, SERVED, 'violated', 'not-exercised'],
  ['sharp', JOB, REFUSED, 'not-exercised', 'not-exercised'],
  // The cheapest model is judged without a counterpart.
  ['small', SERVED, undefined, 'holds', 'holds'],
  ['small', REFUSED, undefined, 'violated', 'not-exercised'],
  ['small', BROKE, undefined, 'inconclusive', 'not-exercised'],
])('listed models: %s that answers %j beside %j', (model, answer, beside, served, choices) => {
  const counterpart = beside === undefined ? {} : { counterpart: chat('small', beside) };
  const trial = { exchanges: [chat(model, answer)], ...counterpart };
  const checks = [listedModelsServed, listedModelsReturnChoices];
  expect(checks.map((check) => ruled(check, trial, INFO).kind)).toEqual([served, choices]);
});

test.each([
  [{ job: 7 }, 'a body without one (status 200)'],
  ['', 'a body without one (status 200), since it is an empty body'],
  [
    '{"choices":[{"message":{"content":"Hel',
    'a body without one (status 200), since it is a body that is not JSON: 38 bytes, which end in "age\\":{\\"content\\":\\"Hel"',
  ],
])('listed models: says what is wrong with a body without choices: %j', (body, actual) => {
  const trial = { exchanges: [chat('sharp', { body })], counterpart: chat('small', SERVED) };
  expect(ruled(listedModelsReturnChoices, trial, INFO)).toMatchObject({
    finding: { actual, code: 'no-choices', path: '/choices' },
  });
});

test.each([
  ['violated', [UNAVAILABLE, UNAVAILABLE]],
  ['inconclusive', [UNAVAILABLE, SERVED]],
  ['holds', [SERVED]],
])('listed models: availability is %s given %j', async (kind, answers) => {
  let turn = 0;
  const sender = senderForTest(({ body }) =>
    String(body).includes('"sharp"') ? (answers[turn++] ?? REFUSED) : SERVED,
  );
  const trial = await listedModelsAvailable.given.send({ model: 'sharp', key: 'primary' }, sender, INFO);
  expect(ruled(listedModelsAvailable, trial, INFO).kind).toBe(kind);
  expect(turn).toBe(answers.length);
});
test('listed models: those of each key are tried with it, by turns', () => {
  const info = infoForTest({ secondModels: [{ id: 'small' }, { id: 'reserved' }] });
  expect(listedModelsServed.given.inputs(info).examples).toEqual([
    { model: 'small', key: 'primary' },
    { model: 'small', key: 'second' },
    { model: 'sharp', key: 'primary' },
    { model: 'reserved', key: 'second' },
  ]);
});

test("another key's models: tries both directions by turns", () => {
  const info = infoForTest({ secondModels: [{ id: 'small' }, { id: 'reserved' }, { id: 'other' }] });
  expect(otherKeysModelsRefused.given.inputs(info).examples).toEqual([
    { model: 'reserved', owner: 'second', stranger: 'primary' },
    { model: 'sharp', owner: 'primary', stranger: 'second' },
    { model: 'other', owner: 'second', stranger: 'primary' },
    { model: 'reserved', owner: 'second', stranger: 'primary', stream: true },
    { model: 'sharp', owner: 'primary', stranger: 'second', stream: true },
  ]);
});

test("another key's models: none is asked to stream where every completion counts", () => {
  const info = infoForTest({ secondModels: [{ id: 'reserved' }], thrifty: true });
  expect(otherKeysModelsRefused.given.inputs(info).examples).toHaveLength(3);
});

test("another key's models: lacks a second key, or one with another list", () => {
  const { skipReason } = otherKeysModelsRefused.given;
  expect(skipReason?.(INFO)).toContain('CHAT_SECOND_API_KEY');
  expect(skipReason?.(infoForTest({ secondModels: INFO.models }))).toContain('same models');
  expect(skipReason?.(infoForTest({ secondModels: [{ id: 'small' }] }))).toBeUndefined();
});

test.each([
  ['smal', { status: 404, body: 'Not found' }, ['holds', 'inconclusive']],
  // A mutation that is listed after all is no negative case.
  ['sharp', SERVED, ['not-exercised', 'not-exercised']],
])('unlisted models: %s that answers %j is %j', (model, answer, kinds) => {
  const trial = { exchanges: [chat(model, answer)], counterpart: chat('small', SERVED) };
  expect(
    [unlistedModelsRefused, unlistedModelIsError].map((check) => ruled(check, trial, INFO).kind),
  ).toEqual(kinds);
});
