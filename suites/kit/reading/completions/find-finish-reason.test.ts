import { expect, test } from 'vitest';
import { findFinishReason, findStreamFinishReason, inFirstChoice } from './find-finish-reason.ts';

const MESSAGE = { role: 'assistant', content: 'Hello.' };
const found = (choice: Parameters<typeof findFinishReason>[0]) =>
  findFinishReason({ choices: [{ message: MESSAGE, ...choice }] }, 0, {});

test('prefers the name of the convention to other ways of writing it', () => {
  expect(found({ finishReason: 'a', finish_reason: 'b' })).toEqual({
    pointer: '/choices/0/finish_reason',
    value: 'b',
  });
});

test.each(['message', 'delta'])('knows names in the %s that may mean something else deeper', (holder) => {
  expect(found({ [holder]: { content: '', reason: 'stop' } })).toEqual({
    pointer: `/choices/0/${holder}/reason`,
    value: 'stop',
  });
});

test('looks four levels deep', () => {
  expect(found({ a: { b: { c: { stop_reason: 'x' } } } })).toMatchObject({
    pointer: '/choices/0/a/b/c/stop_reason',
  });
  expect(found({ a: { b: { c: { d: { stop_reason: 'x' } } } } })).toBe('unrecognised');
});

test.each([
  { choices: [{ message: MESSAGE, ended_because: 'length' }], status: 'success' },
  { choices: [{ message: { ...MESSAGE, status: 'completed' } }] },
  { choices: [{ message: MESSAGE, status: 'stop' }] },
])('does not guess whether a status is that of the answer or a finish reason: %j', (body) => {
  expect(findFinishReason(body, 0, {})).toBe('unrecognised');
  const pins = { 'response.finish_reason': '/choices/0/status' };
  expect(findFinishReason({ choices: [{ status: 'stop' }] }, 0, { pins })).toMatchObject({ value: 'stop' });
});

test.each(['reason', 'status'])('does not take %s of something else for a finish reason', (name) => {
  const body = { choices: [{ message: MESSAGE }], meta: { [name]: 'x' } };
  expect(findFinishReason(body, 0, {})).toBe('absent');
});

test('takes empty details for none', () => {
  expect(found({ finish_details: {} })).toBe('absent');
});

test('says absent where nothing is at the pinned place', () => {
  const body = { choices: [{ message: MESSAGE, finish_reason: 'stop' }] };
  expect(findFinishReason(body, 0, { pins: { 'response.finish_reason': '/choices/0/ende' } })).toBe('absent');
  expect(findStreamFinishReason(body, { pins: { 'stream.finish_reason': '/ende' } })).toBe('absent');
});

test.each([
  ['/choices/12/finish_reason', '/choices/0/finish_reason'],
  ['/choices/1', '/choices/1'],
  ['/meta/choices/1/reason', '/meta/choices/1/reason'],
  ['/stop_reason', '/stop_reason'],
])('names %s as in the first choice: %s', (pointer, expected) => {
  expect(inFirstChoice(pointer)).toBe(expected);
});
