import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import { countsTokens, findUsage, isResult, memberOfUsage } from './find-usage.ts';

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

const NESTED = { usage: { input: { tokens: 5 }, output: { tokens: 7 }, total: { words: 3 } } };

test('finds tokens in an object that is named for what it counts', () => {
  expect(find(NESTED)).toEqual({
    pointer: '/usage',
    input: { pointer: '/usage/input/tokens', value: 5 },
    output: { pointer: '/usage/output/tokens', value: 7 },
  });
  expect(find({ usage: { input: { tokens: -5 } } })).toMatchObject({
    negative: { pointer: '/usage/input/tokens' },
  });
  expect(find({ usage: { input: { tokens: 5 }, input_tokens: 6 } })).toMatchObject({ input: { value: 6 } });
});

test.each([
  ['/into/models', '/spent/into/models'],
  ['/a~1b', '/spent/a~1b'],
  ['made', '/spent/made'],
])('reads a count that is pinned to %s', (pin, pointer) => {
  const pins = { 'response.usage': '/spent', 'response.usage.input': pin };
  const found = findUsage({ spent: { into: { models: 8 }, 'a/b': 8, made: 8 } }, { pins }, 'response.usage');
  if (typeof found === 'string' || found.input === undefined) throw new TypeError('there is a count');
  expect(found.input).toEqual({ pointer, value: 8 });
  expect(countsTokens(found.input, 'response.usage.input', { pins })).toBe(true);
  expect(memberOfUsage(found.input, found)).toBe(pin);
});

test.each([
  [{ usage: { input: { tokens: 1 } } }, 'input', '/input/tokens'],
  [{ usage: { 'input~tokens': 1 } }, 'input', 'input~tokens'],
  [{ usage: { 'input/tokens': 1 } }, 'input', '/input~1tokens'],
  [{ tokens_used: 3 }, 'total', 'tokens_used'],
  [{ choices: [], eval_count: 3 }, 'output', 'eval_count'],
] as const)('names the count in %j as a profile pins it', (body, kind, expected) => {
  const found = find(body);
  const count = typeof found === 'object' ? found[kind] : undefined;
  if (typeof found === 'string' || count === undefined) throw new TypeError('there is a count');
  expect(memberOfUsage(count, found)).toBe(expected);
  const pins = { [`response.usage.${kind}`]: expected };
  expect(findUsage(body, { pins }, 'response.usage')).toMatchObject({ [kind]: count });
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
