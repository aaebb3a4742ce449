import { expect, test } from 'vitest';
import { answerOf } from '../answer-of.ts';
import { answeredGet } from '../../test-support/exchange.ts';
import { surveyModels } from './survey-models.ts';

const answer = (body: object) => answerOf(answeredGet('/any', { body }));

const LISTING = answer({
  data: [
    { id: 'dear', price: 9, vision: true },
    { id: 'cheap', price: 1 },
    { id: 'unpriced', vision: true },
  ],
});

function ids(...given: Parameters<typeof surveyModels>): string[] {
  const survey = surveyModels(...given);
  return survey.kind === 'models' ? survey.models.map(({ id }) => id) : [];
}

test('orders by price, what has none last', () => {
  expect(ids(LISTING, undefined, {})).toEqual(['cheap', 'dear', 'unpriced']);
});

test('orders by price however each record says it, keeping the order of the list among equals', () => {
  const listing = answer({
    data: [
      { id: 'in-parts', pricing: { prompt: '0.003', completion: '0.006' } },
      { id: 'free', pricing: { prompt: '0', completion: '0' } },
      { id: 'flat', price: 0.002 },
      { id: 'also-free', input_price: 0, output_price: '0' },
      { id: 'nameless', owned_by: 'x' },
    ],
  });
  expect(ids(listing, undefined, {})).toEqual(['free', 'also-free', 'flat', 'in-parts', 'nameless']);
});

test('puts the model of the profile first', () => {
  expect(ids(LISTING, undefined, { model: 'unpriced' })).toEqual(['unpriced', 'cheap', 'dear']);
});

test('takes the word of the vision endpoint over the record, and that of the profile over both', () => {
  const profile = { models: { unpriced: { vision: true } } };
  const survey = surveyModels(LISTING, answer({ models: ['cheap'] }), profile);
  expect(survey.kind === 'models' && survey.models.map(({ vision }) => vision)).toEqual([true, false, true]);
});

test('keeps the word of the record where the vision endpoint cannot be read', () => {
  const survey = surveyModels(LISTING, answer({ what: 'ever' }), {});
  expect(survey.kind === 'models' && survey.models.map(({ vision }) => vision)).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('concludes nothing given a vision answer that names no listed ID', () => {
  const survey = surveyModels(LISTING, answer({ models: ['Dear One'] }), {});
  expect(survey.kind === 'models' && survey.models.map(({ vision }) => vision)).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('says why the models cannot be read', () => {
  expect(surveyModels(answer({}), undefined, {}).kind).toBe('unread');
});

/** Which models are said to have vision, given what the vision endpoint says. */
function visionOf(body: object, listing: object = { data: [{ id: 'a', vision: true }, { id: 'b' }] }) {
  const survey = surveyModels(answer(listing), answer(body), {});
  return survey.kind === 'models' ? survey.models : [];
}

test('takes all vision away where the vision endpoint says that there is none', () => {
  const none = [
    { id: 'a', vision: false },
    { id: 'b', vision: false },
  ];
  expect(visionOf({ vision: false })).toEqual(none);
  expect(visionOf({ models: [] })).toEqual(none);
});

test('leaves to the records what one flag of the vision endpoint, or names of strangers, do not say', () => {
  const said = [{ id: 'a', vision: true }, { id: 'b' }];
  expect(visionOf({ vision: true })).toStrictEqual(said);
  expect(visionOf({ models: ['Model A'] })).toStrictEqual(said);
});

test('knows the list of the vision endpoint by the models that are listed', () => {
  expect(visionOf({ seers: ['b'] })).toEqual([
    { id: 'a', vision: false },
    { id: 'b', vision: true },
  ]);
});
