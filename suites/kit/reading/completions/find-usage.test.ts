import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import { countsTokens, findUsage, isResult } from './find-usage.ts';

const find = (body: JsonObject, pin?: string) =>
  findUsage(body, pin === undefined ? {} : { pins: { 'response.usage': pin } }, 'response.usage');

test('takes a number alone for the total', () => {
  expect(find({ tokens_used: 3 })).toEqual({
    pointer: '/tokens_used',
    total: { pointer: '/tokens_used', value: 3 },
  });
});

test('knows of a list of numbers only where it is', () => {
  expect(find({ usage: [3] })).toEqual({ pointer: '/usage' });
});

test('prefers the name of the convention to other ways of writing it', () => {
  expect(find({ Usage: { input: 1 }, usage: { input: 2 } })).toMatchObject({ input: { value: 2 } });
});

test('finds one count at the root', () => {
  expect(find({ choices: [], eval_count: 2 })).toMatchObject({ pointer: '', output: { value: 2 } });
  expect(find({ choices: [], prompt_eval_count: 2 })).toMatchObject({ pointer: '', input: { value: 2 } });
});

test.each<[JsonObject, string]>([
  [{ usage: { prompt_tokens: -1, completion_tokens: 2 } }, '/usage/prompt_tokens'],
  [{ usage: { total_tokens: -0.5 } }, '/usage/total_tokens'],
  [{ choices: [], eval_count: -1 }, '/eval_count'],
])('notices a count of tokens below zero: %j', (body, pointer) => {
  expect(find(body)).toMatchObject({ negative: { pointer } });
});

test.each<JsonObject>([{ usage: { total: -8 } }, { usage: { prompt_tokens: 0 } }, { usage: { spare: -1 } }])(
  'takes nothing else for a count below zero: %j',
  (body) => {
    expect(find(body)).not.toHaveProperty('negative');
  },
);

test('says absent where nothing, or no number, is at the pinned place', () => {
  expect(find({ usage: { input: 1 } }, '/spent')).toBe('absent');
  expect(find({ usage: { input: 1 }, spent: { made: 'x' } }, '/spent')).toBe('absent');
});

test.each<[JsonObject, string]>([
  [{ spent: '42' }, 'unrecognised'],
  [{ spent: '4.25' }, 'unrecognised'],
  [{ spent: ['x', 3] }, 'unrecognised'],
  [{ a: { b: { c: { d: { e: 3 } } } } }, 'unrecognised'],
  [{ a: [[[[3]]]] }, 'unrecognised'],
  [{ usage: [[[3]]] }, 'unrecognised'],
  [{ a: { b: { c: { d: { e: { f: 3 } } } } } }, 'absent'],
  [{ a: [[[[[3]]]]] }, 'absent'],
  [{ note: 'v3' }, 'absent'],
  [{ note: '3 of them' }, 'absent'],
  [{ note: null, done: true }, 'absent'],
])('looks five levels deep for what may be usage: %j', (body, expected) => {
  expect(find(body)).toBe(expected);
});

test.each([
  ['/usage/output_tokens', undefined, true],
  ['/usage/evalCount', undefined, true],
  ['/usage/eval_count', undefined, true],
  ['/usage/output', undefined, false],
  ['/usage/output', 'output', true],
  ['/usage/output', 'made', false],
])('says whether a count at %s counts tokens, %s being pinned: %s', (pointer, pinned, expected) => {
  const profile = pinned === undefined ? {} : { pins: { 'response.usage.output': pinned } };
  expect(countsTokens({ pointer, value: 1 }, 'response.usage.output', profile)).toBe(expected);
});

test.each([{ choices: [] }, { message: {} }, { delta: {} }, { id: 'c', message: { content: 'x' } }])(
  'takes %j for a result',
  (value) => {
    expect(isResult(value)).toBe(true);
  },
);

test.each([{}, { choices: {} }, { message: 'x' }, { delta: null }, [], ['choices'], 'choices', 7, null])(
  'takes %j for no result',
  (value) => {
    expect(isResult(value)).toBe(false);
  },
);
