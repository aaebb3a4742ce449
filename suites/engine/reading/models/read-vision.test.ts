import { expect, test } from 'vitest';
import { type AnswerForTest, answeredGet } from '../../test-support/exchange.ts';
import { answerOf } from '../answers.ts';
import { readVision } from './read-vision.ts';

/** The shape and the place of what is read, and the models; or a flag; or that nothing is. */
function read(body: AnswerForTest['body'], pin?: string): string {
  const profile = pin === undefined ? {} : { pins: { 'vision.list': pin } };
  const answer = answerOf(answeredGet('/vision-capabilities', { body: body ?? '' }));
  const reading = readVision(answer, profile, ['a', 'b']);
  if (reading.kind === 'flag') return String(reading.available);
  if (reading.kind === 'unrecognised') return reading.kind;
  const models = [...reading.vision].map(([id, enabled]) => id + (enabled ? '+' : '-'));
  return [reading.shape, reading.pointer, ...models].join(' ').trimEnd();
}

const list = (...records: object[]) => records;
const SOME = list({ id: 'a', vision: true }, { id: 'b', vision: false });

test.each<[AnswerForTest['body'], string]>([
  // Lists of models with vision.
  [['a'], 'ids  a+'],
  [{ models: ['a'] }, 'ids /models a+'],
  [{ supported_formats: ['image/png'], image_models: ['a'] }, 'ids /image_models a+'],
  [{ object: 'list', data: [{ id: 'a', max_images: 4 }] }, 'records /data a+'],
  [{ vision: true, models: ['a'] }, 'ids /models a+'],
  [{ models: [{ id: 'a' }, { q: 1 }] }, 'records /models a+'],
  [{ models: [] }, 'ids /models'],
  [[], 'ids'],
  // Lists of models with and without it.
  [{ data: SOME }, 'records /data a+ b-'],
  [{ q: SOME }, 'records /q a+ b-'],
  [list({ model: 'a', supported: true }, { model: 'b', supported: false }), 'records  a+ b-'],
  [{ q: list({ id: 'a', modalities: ['image'] }, { id: 'b', modalities: ['text'] }) }, 'records /q a+ b-'],
  [[{ id: 'a', vision: true }, { id: 'b' }], 'records  a+ b-'],
  // Objects by model.
  [{ a: true, b: false }, 'map  a+ b-'],
  [{ object: 'capabilities', models: { a: true, b: false } }, 'map /models a+ b-'],
  [{ data: { a: { vision: { enabled: true } }, b: { vision: { enabled: false } } } }, 'map /data a+ b-'],
  [{ image_input: true, by_id: { a: true } }, 'map /by_id a+'],
  [{ vision: { a: 'yes', b: 'no' } }, 'map /vision a+ b-'],
  [{ result: { q: { a: true, b: false } } }, 'map /result/q a+ b-'],
  [{ a: ['text', 'image'], b: ['text'] }, 'map  a+ b-'],
  [list({ id: 'a', can_see: true, live: false }, { id: 'b', can_see: false, live: true }), 'records  a+ b-'],
  [{ object: 'vision', a: true, b: false, total: 2 }, 'map  a+ b-'],
  [{ models: { a: 1, b: 0 } }, 'map /models a+ b-'],
  [{ default: true, b: false }, 'map  default+ b- a+'],
  [{ with_vision: ['a'], without_vision: ['b'] }, 'ids /with_vision a+'],
  // Flags.
  ['true', 'true'],
  [{ vision: false }, 'false'],
  [{ enabled: true }, 'true'],
  [{ imageInputEnabled: true }, 'true'],
  [{ supportsImages: true, success: true }, 'true'],
  [{ image_input: true, exceptions: ['a'] }, 'true'],
  [{ vision: { enabled: true }, legacy: [{ id: 'a' }] }, 'true'],
])('reads %j as %s', (body, expected) => {
  expect(read(body)).toBe(expected);
});

test.each<[string, AnswerForTest['body']]>([
  ['nothing', ''],
  ['a page', '<html>'],
  ['an object', '{}'],
  ['a number', '3'],
  ['formats', { formats: ['image/png'] }],
  ['an empty list of anything', { supported: [] }],
  ['IDs that are not listed', { models: ['Model A'] }],
  ['a list whose name does not say what it lists', { seers: ['a'] }],
  ['several lists', { vision_models: ['a'], chat_models: ['a', 'b'] }],
  ['several lists beside a flag', { available: true, with_images: ['a'], models: ['a', 'b'] }],
  ['a map beside other members that leaves a model out', { object: 'vision', a: true }],
  ['counts by model', { vision: { a: 1, b: 4 } }],
  ['bits of something else', { tiers: { a: 1, b: 0 } }],
  ['a list of lists', { models: [['a'], 7] }],
  ['a list that lies too deep', { x: { y: { models: ['a'] } } }],
])('does not recognise %s', (_, body) => {
  expect(read(body)).toBe('unrecognised');
});

test('says which lists there are', () => {
  const answer = answerOf(answeredGet('/vision-capabilities', { body: { models: ['a'], vision: ['b'] } }));
  expect(readVision(answer, {}, ['a', 'b'])).toMatchObject({
    reason: expect.stringContaining('/models and /vision'),
  });
});

test('reads where the profile pins the list, if something is there', () => {
  expect(read({ models: ['a', 'b'], seeing: ['b'] }, '/seeing')).toBe('ids /seeing b+');
  expect(read({ x: { y: { z: { w: ['a'] } } } }, '/x/y/z/w')).toBe('ids /x/y/z/w a+');
  expect(read({ models: ['a'] }, '/x')).toBe('ids /models a+');
});
