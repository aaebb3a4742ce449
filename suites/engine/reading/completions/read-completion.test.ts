import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { countsIn, memberOfUsage, readCompletion } from './read-completion.ts';

const CHOICE = { index: 0, message: { role: 'assistant', content: 'Hello.' } };

function read(body: string | object, profile: Profile = {}) {
  return readCompletion(answerOf(answered({ body })), infoForTest({ profile }));
}

function reason(body: object, pins: Profile['pins'] = {}) {
  return read({ choices: [CHOICE], ...body }, { pins })?.choices?.[0]?.finishReason;
}

function usage(body: object, pins: Profile['pins'] = {}) {
  return read({ id: 'c', created: 17, choices: [CHOICE], ...body }, { pins })?.usage;
}

test('reads the common convention', () => {
  const counts = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const reading = read({
    id: 'c',
    created: 1,
    choices: [{ ...CHOICE, finish_reason: 'stop' }],
    usage: counts,
  });
  expect(reading?.choices).toEqual([
    { text: 'Hello.', finishReason: { pointer: '/choices/0/finish_reason', value: 'stop' } },
  ]);
  expect(reading?.usage).toEqual({
    pointer: '/usage',
    input: { pointer: '/usage/prompt_tokens', value: 3 },
    output: { pointer: '/usage/completion_tokens', value: 4 },
    total: { pointer: '/usage/total_tokens', value: 7 },
  });
});

test('finds no text where there is no message, or its content is no text', () => {
  const choices = [
    {},
    'x',
    null,
    { message: null },
    { message: { content: null } },
    { message: { content: [] } },
  ];
  expect(read({ choices })?.choices?.map(({ text }) => text)).toEqual(choices.map(() => undefined));
});

test('reads nothing from what is no JSON object, and no choices from what is no array', () => {
  expect([read('[]'), read('data: {}'), read('')]).toEqual([undefined, undefined, undefined]);
  expect(read({ choices: {} })?.choices).toBeUndefined();
});

const choice = (more: object) => ({ choices: [{ ...CHOICE, ...more }] });

test.each<[object, string]>([
  [choice({ stopReason: 'stop' }), '/choices/0/stopReason'],
  [choice({ message: { content: '', reason: 'x' } }), '/choices/0/message/reason'],
  [{ stop_reason: 'length' }, '/stop_reason'],
  [choice({ finish_details: { type: 'stop' } }), '/choices/0/finish_details'],
  [choice({ finishReason: 1 }), '/choices/0/finishReason'],
  [{ meta: { finish_reason: 'stop' } }, '/meta/finish_reason'],
  [choice({ metadata: { end: { stopReason: 'stop' } } }), '/choices/0/metadata/end/stopReason'],
])('finds the finish reason in %j at %s', (body, pointer) => {
  expect(reason(body)).toMatchObject({ pointer });
});

test.each<[object, string]>([
  [{ id: 'c', model: 'm', usage: { total_tokens: 3 } }, 'absent'],
  [choice({ finish_reason: null, logprobs: null }), 'absent'],
  [choice({ finish_reason: '' }), 'absent'],
  [choice({ finish_details: {} }), 'absent'],
  [{ choices: [CHOICE, { ...CHOICE, meta: { finish_reason: 'stop' } }] }, 'absent'],
  [choice({ outcome: 'complete' }), 'unrecognised'],
  // A status may be that of the whole answer.
  [{ status: 'success' }, 'unrecognised'],
  [choice({ status: 'stop' }), 'unrecognised'],
])('tells of %j that the finish reason is %s', (body, expected) => {
  expect(reason(body)).toBe(expected);
});

test('reads the finish reason where the profile pins it, for every choice', () => {
  const pins = { 'response.finish_reason': '/choices/0/outcome' };
  const choices = ['a', 'b'].map((outcome) => ({ ...CHOICE, outcome }));
  expect(read({ choices }, { pins })?.choices?.map((each) => each.finishReason)).toEqual([
    { pointer: '/choices/0/outcome', value: 'a' },
    { pointer: '/choices/1/outcome', value: 'b' },
  ]);
  expect(reason(choice({ finish_reason: 'stop' }), pins)).toMatchObject({
    pointer: '/choices/0/finish_reason',
  });
  expect(reason({}, pins)).toBe('absent');
});

test.each<[object, string, number | undefined]>([
  [{ usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 } }, '/usageMetadata', 2],
  [{ meta: { usage: { input_tokens: 1, output_tokens: 2 } } }, '/meta/usage', 2],
  [choice({ usage: { output_tokens: 2 } }), '/choices/0/usage', 2],
  [{ usage: { input: 1, output: 2 } }, '/usage', undefined],
  [{ prompt_eval_count: 1, eval_count: 2 }, '', 2],
  [{ eval_count: 2 }, '', 2],
  [{ usage: { input: { tokens: 5 }, output: { tokens: 7 } } }, '/usage', 7],
  [{ tokens_used: 3 }, '/tokens_used', undefined],
  [{ usage: { words: 3 } }, '/usage', undefined],
  [{ usage: { prompt_tokens: '3' } }, '/usage', undefined],
])('finds the usage in %j at "%s"', (body, pointer, output) => {
  const found = usage(body);
  expect(found).toMatchObject({ pointer });
  expect(typeof found === 'object' && found.output?.value).toBe(output);
});

test.each<[object, string]>([
  [{}, 'absent'],
  [{ usage: null }, 'absent'],
  [{ usage: {} }, 'absent'],
  [{ choices: [{ message: { content: '42' } }] }, 'absent'],
  [{ note: 'v3' }, 'absent'],
  [{ note: '3 of them' }, 'absent'],
  [{ spent: { total: 4 } }, 'unrecognised'],
  [{ spent: '4.25' }, 'unrecognised'],
  [{ spent: ['x', 3] }, 'unrecognised'],
  [{ a: { b: { c: { d: { e: 3 } } } } }, 'unrecognised'],
])('tells of %j that the usage is %s', (body, expected) => {
  expect(usage(body)).toBe(expected);
});

test('takes a number alone for the count of its name', () => {
  const found = { pointer: '/tokens_used', total: { pointer: '/tokens_used', value: 3 } };
  expect(usage({ tokens_used: 3 })).toEqual(found);
  expect(usage({ tokens_used: 3 }, { 'response.usage.total': 'tokens_used' })).toEqual(found);
  expect(usage({ usage: 3 })).toEqual({ pointer: '/usage' });
});

test.each<[JsonObject, string | undefined]>([
  [{ usage: { prompt_tokens: -1, completion_tokens: 2 } }, '/usage/prompt_tokens'],
  [{ usage: { total_tokens: -0.5 } }, '/usage/total_tokens'],
  [{ usage: { input: { tokens: -5 } } }, '/usage/input/tokens'],
  [{ eval_count: -1 }, '/eval_count'],
  [{ usage: { total: -8 } }, undefined],
  [{ usage: { prompt_tokens: 0 } }, undefined],
  [{ usage: { spare: -1 } }, undefined],
])('notices a count of tokens below zero, and no other: %j', (body, pointer) => {
  const found = usage(body);
  expect(typeof found === 'object' && found.negative?.pointer).toBe(pointer);
});

test('reads usage where the profile pins it', () => {
  const pins = { 'response.usage': '/spent', 'response.usage.output': 'made' };
  expect(usage({ spent: { made: 4 } }, pins)).toMatchObject({
    pointer: '/spent',
    output: { pointer: '/spent/made', value: 4 },
  });
  expect(usage({ usage: { output_tokens: 4 } }, pins)).toMatchObject({ pointer: '/usage' });
  expect(usage({}, pins)).toBe('absent');
});

test.each(['', '/choices/0'])(
  'takes no whole response and no choice for an item, pinned to "%s"',
  (whole) => {
    const pins = { 'response.finish_reason': whole, 'response.usage': whole };
    const body = { choices: [{ ...CHOICE, finish_reason: 'stop', cost: 1 }], usage: { total_tokens: 4 } };
    expect(reason(body, pins)).toMatchObject({ pointer: '/choices/0/finish_reason' });
    expect(usage(body, pins)).toMatchObject({ pointer: '/usage' });
    expect(usage({ eval_count: 3 }, { 'response.usage': '' })).toMatchObject({ pointer: '' });
  },
);

test.each<[object, 'input' | 'output' | 'total', string]>([
  [{ usage: { prompt_tokens: 1 } }, 'input', 'prompt_tokens'],
  [{ usage: { input: { tokens: 1 } } }, 'input', '/input/tokens'],
  [{ usage: { 'input~tokens': 1 } }, 'input', 'input~tokens'],
  [{ usage: { 'input/tokens': 1 } }, 'input', '/input~1tokens'],
  [{ tokens_used: 3 }, 'total', 'tokens_used'],
  [{ eval_count: 3 }, 'output', 'eval_count'],
])('names a count in %j as a profile pins it, and reads it again by that pin', (body, kind, name) => {
  for (const pins of [{}, { [`response.usage.${kind}`]: name }]) {
    const found = usage(body, pins);
    const count = countsIn(found)[kind];
    expect(typeof found === 'object' && count && memberOfUsage(count, found)).toBe(name);
  }
});
