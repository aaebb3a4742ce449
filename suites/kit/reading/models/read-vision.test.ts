import { expect, test } from 'vitest';
import type { Profile } from '../../model/target.ts';
import { type AnswerForTest, answeredGet } from '../../test-support/exchange.ts';
import { answerOf } from '../answers.ts';
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

/** Where, and in which shape, it is said, and of whom. */
function place(body: object, pin?: string) {
  const profile = pin === undefined ? {} : { pins: { 'vision.list': pin } };
  const reading = readVision(answerOf(answeredGet('/vision-capabilities', { body })), profile, ['a', 'b']);
  return reading.kind === 'by-model' ? `${reading.shape} ${reading.pointer}` : reading.kind;
}

const SOME = [
  { id: 'a', vision: false },
  { id: 'b', vision: true },
];

test.each([
  [['a', 'b'], 'ids '],
  [{ models: SOME }, 'records /models'],
  [{ models: ['a', { id: 'b' }] }, 'records /models'],
  [{ a: true, b: false }, 'map '],
  [{ a: { enabled: true }, b: { enabled: false } }, 'map '],
  [{ contextual: ['a'] }, 'ids /contextual'],
  [{ 'gpt-vision': true }, 'map '],
  [{ 'data-1': false }, 'map '],
])('reads %j as %s', (body, expected) => {
  expect(place(body)).toBe(expected);
});

test.each([
  { vision: true },
  { image: true },
  { images: true },
  { enabled: true },
  { imageInput: true },
  { imageInputEnabled: true },
  { visionEnabled: true },
  { supports: true },
  { supportsVision: true },
  { supportsImages: true, success: true },
])('reads %j as one flag', (body) => {
  expect(place(body)).toBe('flag');
});

test('recognises the list of models with vision by its name or by its records', () => {
  expect(place({ vision_models: ['a'], chat_models: ['a', 'b'] })).toBe('ids /vision_models');
  expect(place({ q: SOME, r: [{ id: 'a' }, { id: 'b' }] })).toBe('records /q');
  expect(place({ vision: { q: SOME, r: [{ id: 'a' }, { id: 'b' }] } })).toBe('records /vision/q');
  expect(place({ q: { a: true, b: true }, r: ['a'] })).toBe('map /q');
  expect(place({ vision_q: ['a'], vision_r: ['b'] })).toBe('unrecognised');
  expect(place({ q: ['a'], r: ['b'] })).toBe('unrecognised');
  expect(place({ q: [['a'], 7] })).toBe('unrecognised');
});

test('reads what lies deeper where the profile pins it', () => {
  const body = { x: { y: { z: { w: ['a'] } } } };
  expect(place(body)).toBe('unrecognised');
  expect(place(body, '/x/y/z/w')).toBe('ids /x/y/z/w');
  expect(place({ models: ['a'] }, '/x')).toBe('ids /models');
});

test('names no model for a record without an ID', () => {
  const body = { models: [{ id: 'a' }, { id: 'b' }, { q: 1 }] };
  expect(read(body)).toEqual({ a: true, b: true });
});

test('takes a list under a name that says nothing for the exceptions to a flag beside it', () => {
  expect(read({ image_input: true, exceptions: ['a'] })).toEqual({ kind: 'flag', available: true });
  expect(read({ vision: { enabled: true }, legacy: [{ id: 'a' }] })).toMatchObject({ kind: 'flag' });
  expect(read({ vision: true, models: ['a'] })).toEqual({ a: true });
  expect(read({ available: true, with_images: ['a'] })).toEqual({ a: true });
});

test('takes no map to flags for the exceptions to a flag beside it, whatever its name', () => {
  expect(read({ image_input: true, by_id: { a: true } })).toEqual({ a: true });
});

test('does not guess given a flag beside several lists without known names', () => {
  expect(read({ image_input: true, q: ['a'], r: ['b'] })).toMatchObject({
    kind: 'unrecognised',
    reason: expect.stringContaining('/q and /r'),
  });
});

test('does not guess given a flag and a list that contradict each other', () => {
  expect(read({ vision: false, models: ['a'] })).toMatchObject({
    kind: 'unrecognised',
    reason: expect.stringContaining('/models'),
  });
  expect(read({ vision: false, models: [{ id: 'a', vision: false }] })).toEqual({ a: false });
});
