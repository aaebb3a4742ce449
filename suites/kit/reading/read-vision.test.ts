import { expect, test } from 'vitest';
import { answerOf } from './answer-of.ts';
import { type AnswerForTest, answeredGet } from '../for-test/exchange-for-test.ts';
import type { Profile } from '../profile.ts';
import { readVision } from './read-vision.ts';

function read(body: AnswerForTest['body'], profile: Profile = {}) {
  const reading = readVision(answerOf(answeredGet('/vision-capabilities', { body: body ?? '' })), profile, [
    'a',
    'b',
  ]);
  return reading.kind === 'by-model' ? Object.fromEntries(reading.vision) : reading;
}

test.each([
  ['an array of IDs', ['a']],
  ['IDs under models', { models: ['a'] }],
  ['IDs beside a list of formats', { supported_formats: ['image/png'], image_models: ['a'] }],
  ['IDs beside those without', { unsupported_models: ['b'], supported_models: ['a'] }],
  ['records without a flag', { object: 'list', data: [{ id: 'a', max_images: 4 }] }],
  ['an array two levels down', { vision: { models: ['a'] } }],
])('reads the listed as enabled given %s', (_, body) => {
  expect(read(body)).toEqual({ a: true });
});

test.each([
  [
    'records with a flag',
    {
      data: [
        { id: 'a', vision: true },
        { id: 'b', vision: false },
      ],
    },
  ],
  [
    'records with another flag',
    [
      { model: 'a', supported: true },
      { model: 'b', supported: false },
    ],
  ],
  [
    'records with modalities',
    {
      models: [
        { id: 'a', modalities: ['text', 'image'] },
        { id: 'b', modalities: ['text'] },
      ],
    },
  ],
  ['a record that does not speak of it beside one that does', [{ id: 'a', vision: true }, { id: 'b' }]],
  ['a map to flags', { a: true, b: false }],
  ['a map to flags in an envelope', { object: 'capabilities', models: { a: true, b: false } }],
  ['a map to records', { data: { a: { vision: { enabled: true } }, b: { vision: { enabled: false } } } }],
])('reads what is said of each model given %s', (_, body) => {
  expect(read(body)).toEqual({ a: true, b: false });
});

test('does not guess given several lists of models, none of which is named for vision', () => {
  expect(read({ models: { first: ['b'], second: ['a'] } })).toMatchObject({
    kind: 'unrecognised',
    reason: expect.stringContaining('/models/first'),
  });
  expect(read({ all: ['a', 'b'], with_vision: ['a'] })).toEqual({ a: true });
});

test('reads an empty list as nothing enabled', () => {
  expect([read([]), read({ models: [] })]).toEqual([{}, {}]);
});

test('reads where the profile pins the list', () => {
  const body = { models: ['a', 'b'], seeing: ['b'] };
  expect(read(body, { pins: { 'vision.list': '/seeing' } })).toEqual({ b: true });
  expect(read({ seeing: {} }, { pins: { 'vision.list': '/seeing' } })).toEqual({});
});

test('reads one flag for the whole service', () => {
  expect(read({ vision: false })).toEqual({ kind: 'flag', available: false });
  expect(read('true')).toEqual({ kind: 'flag', available: true });
});

test('does not recognise anything else', () => {
  const kinds = ['', '<html>', '{}', '3', '{"formats":["image/png"]}'].map((body) => read(body));
  expect(kinds).toEqual(Array(5).fill(expect.objectContaining({ kind: 'unrecognised' })));
});
