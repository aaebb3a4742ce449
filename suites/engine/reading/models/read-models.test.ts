import { expect, test } from 'vitest';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { type AnswerForTest, answeredGet } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { discoverModels, readListing } from './read-models.ts';

const answer = (body: AnswerForTest['body'] = '') => answerOf(answeredGet('/any', { body }));

/** The models that are read, or why there are none. */
function models(body: AnswerForTest['body'], profile: Profile = {}) {
  const reading = readListing(answer(body), { profile });
  return reading.kind === 'models' ? reading.models : reading.kind;
}

test.each([
  ['7', 'no-list'],
  ['null', 'no-list'],
  ['"a"', 'no-list'],
  ['<html>', 'no-list'],
  ['', 'no-list'],
  [{ error: { code: 'x', message: 'No.' } }, 'no-list'],
  [{ choices: [{ message: { content: 'Hi.' } }] }, 'no-list'],
  [{}, 'unrecognised'],
  [{ data: [1, 2] }, 'unrecognised'],
  [{ ok: true }, 'unrecognised'],
])('says of %j whether it may be a list in an unknown shape: %s', (body, kind) => {
  expect(models(body)).toBe(kind);
});

test.each([
  [{ a: { context_length: 1024 }, b: { owned_by: 'x' } }, ['a', 'b']],
  [{ object: 'list', data: { a: { id: 'a' }, b: { vision: true } } }, ['a', 'b']],
  [{ a: { id: 'a' }, total: 1 }, 'unrecognised'],
  [{ a: {}, b: {} }, 'unrecognised'],
  [{ north: { a: { id: 'a' } } }, 'unrecognised'],
  [{ meta: { id: 'r-1' }, catalogue: { name: 'x' } }, 'unrecognised'],
  [{ data: { id: 'a' } }, 'unrecognised'],
  [{ error: { name: 'Forbidden', id: 'r-1' } }, 'no-list'],
])(
  'reads records by their ID at the root or under data, if each says something of a model: %j',
  (body, expected) => {
    const read = models(body);
    expect(typeof read === 'string' ? read : read.map(({ id }) => id)).toEqual(expected);
  },
);

test('reads what records say, the first one of an ID, and lets the profile win', () => {
  const data = [
    { id: 'a', context_length: 1024, pricing: { prompt: '0.1', completion: '0.2', image: '9' } },
    { id: 'a', context_length: 512 },
    { q: 1 },
    { id: 'b', limits: { contextWindow: 2048 }, architecture: { input_modalities: ['text', 'image'] } },
    { id: 'c', context_length: 255, price: 1, vision: false },
  ];
  expect(models({ data }, { models: { b: { contextTokens: 16 } } })).toStrictEqual([
    { id: 'a', contextTokens: 1024, price: expect.closeTo(0.3) },
    { id: 'b', contextTokens: 16, vision: true },
    // Smaller contexts are probably in thousands of tokens.
    { id: 'c', price: 1, vision: false },
  ]);
});

function idsListed(info: Partial<TargetInfo>): string[] | string {
  const data = ['a', 'b'].map((vogel, i) => ({ id: `m_${i + 1}`, vogel }));
  const reading = readListing(answer({ data }), infoForTest(info));
  return reading.kind === 'models' ? reading.models.map(({ id }) => id) : reading.kind;
}

test('reads the IDs where the run found those that are served, or else as the profile says', () => {
  const profile = { pins: { 'models.id': '/vogel' } };
  expect(idsListed({ modelIdAt: '/vogel' })).toEqual(['a', 'b']);
  expect(idsListed({ modelIdAt: '/id', profile })).toEqual(['m_1', 'm_2']);
  expect(idsListed({ profile })).toEqual(['a', 'b']);
  expect(idsListed({})).toEqual(['m_1', 'm_2']);
});

/** The models that a run uses, with a mark for vision or its absence. */
function discovered(listing: object[], vision?: object, profile: Profile = {}): string {
  const found = discoverModels(answer({ data: listing }), vision && answer(vision), { profile });
  if (found.kind !== 'models') return found.kind;
  return found.models
    .map((model) => model.id + (model.vision === undefined ? '' : model.vision ? '+' : '-'))
    .join(' ');
}

const LISTING = [{ id: 'dear', price: 9, vision: true }, { id: 'cheap', price: 1 }, { id: 'unpriced' }];

test('orders by price, the model of the profile first, and what has no price last', () => {
  expect(discovered(LISTING)).toBe('cheap dear+ unpriced');
  expect(discovered(LISTING, undefined, { model: 'unpriced' })).toBe('unpriced cheap dear+');
  const free = { pricing: { prompt: '0', completion: '0' } };
  const flat = { id: 'flat', price: 0.002 };
  const inParts = { id: 'in-parts', pricing: { prompt: '0.003', completion: '0.006' } };
  expect(discovered([inParts, { id: 'a', ...free }, flat, { id: 'b', ...free }])).toBe('a b flat in-parts');
});

test.each<[object, string]>([
  [{ models: ['cheap'] }, 'cheap+ dear- unpriced-'],
  [{ vision: false }, 'cheap- dear- unpriced-'],
  [{ models: [] }, 'cheap- dear- unpriced-'],
  // It does not say for which models.
  [{ vision: true }, 'cheap dear+ unpriced'],
  [{ what: 'ever' }, 'cheap dear+ unpriced'],
  [{ models: ['Dear One'] }, 'cheap dear+ unpriced'],
])('takes what the vision endpoint says for more than what records say: %j', (vision, expected) => {
  expect(discovered(LISTING, vision)).toBe(expected);
});

test('takes what the profile says for more than what the vision endpoint says', () => {
  const profile = { models: { unpriced: { vision: true } } };
  expect(discovered(LISTING, { models: ['cheap'] }, profile)).toBe('cheap+ dear- unpriced+');
});

test('says why the models cannot be read', () => {
  expect(discoverModels(answer({}), undefined, { profile: {} })).toMatchObject({
    kind: 'unrecognised',
    reason: expect.any(String),
  });
});
