import { expect, test } from 'vitest';
import type { Profile } from '../../model/target.ts';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { countsTokens } from './find-usage.ts';
import { readCompletion } from './read-completion.ts';

const CHOICE = { index: 0, message: { role: 'assistant', content: 'Hello.' } };

function read(body: string | object, profile: Profile = {}) {
  return readCompletion(answerOf(answered({ body })), infoForTest({ profile }));
}

function reason(body: object, profile?: Profile) {
  return read(body, profile)?.choices?.[0]?.finishReason;
}

function usage(body: object, profile?: Profile) {
  return read(body, profile)?.usage;
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

test.each([
  ['in the choice', { choices: [{ ...CHOICE, stopReason: 'stop' }] }, '/choices/0/stopReason'],
  [
    'in the message',
    { choices: [{ message: { content: '', done_reason: 'x' } }] },
    '/choices/0/message/done_reason',
  ],
  ['at the root', { choices: [CHOICE], stop_reason: 'length' }, '/stop_reason'],
  [
    'as an object',
    { choices: [{ ...CHOICE, finish_details: { type: 'stop' } }] },
    '/choices/0/finish_details',
  ],
  ['as a number', { choices: [{ ...CHOICE, finishReason: 1 }] }, '/choices/0/finishReason'],
  ['beside the choices', { choices: [CHOICE], meta: { finish_reason: 'stop' } }, '/meta/finish_reason'],
  [
    'deeper in the choice',
    { choices: [{ ...CHOICE, metadata: { end: { stopReason: 'stop' } } }] },
    '/choices/0/metadata/end/stopReason',
  ],
])('finds the finish reason %s', (_, body, pointer) => {
  expect(reason(body)).toMatchObject({ pointer });
});

test('says that the finish reason is absent where nothing could be one', () => {
  expect(reason({ id: 'c', model: 'm', choices: [CHOICE], usage: { total_tokens: 3 } })).toBe('absent');
  expect(reason({ choices: [{ ...CHOICE, finish_reason: null, logprobs: null }] })).toBe('absent');
  expect(reason({ choices: [{ ...CHOICE, finish_reason: '' }] })).toBe('absent');
  expect(reason({ choices: [CHOICE, { ...CHOICE, meta: { finish_reason: 'stop' } }] })).toBe('absent');
});

test('does not recognise a finish reason under an unknown name', () => {
  expect(reason({ choices: [{ ...CHOICE, outcome: 'complete' }] })).toBe('unrecognised');
});

test('reads the finish reason where the profile pins it, for every choice', () => {
  const pins = { 'response.finish_reason': '/choices/0/outcome' };
  const body = {
    choices: [
      { ...CHOICE, outcome: 'a' },
      { ...CHOICE, outcome: 'b' },
    ],
  };
  const reading = read(body, { pins });
  expect(reading?.choices?.map((choice) => choice.finishReason)).toEqual([
    { pointer: '/choices/0/outcome', value: 'a' },
    { pointer: '/choices/1/outcome', value: 'b' },
  ]);
  expect(reason({ choices: [{ ...CHOICE, finish_reason: 'stop' }] }, { pins })).toEqual({
    pointer: '/choices/0/finish_reason',
    value: 'stop',
  });
  expect(reason({ choices: [CHOICE] }, { pins })).toBe('absent');
});

test.each([
  [
    'under another name',
    { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2 } },
    '/usageMetadata',
    2,
  ],
  ['one level down', { meta: { usage: { input_tokens: 1, output_tokens: 2 } } }, '/meta/usage', 2],
  ['in the choice', { choices: [{ ...CHOICE, usage: { output: 2 } }] }, '/choices/0/usage', 2],
  ['at the root', { prompt_eval_count: 1, eval_count: 2 }, '', 2],
  ['as one number', { tokens_used: 3 }, '/tokens_used', undefined],
  ['counts under unknown names', { usage: { words: 3 } }, '/usage', undefined],
])('finds usage %s', (_, body, pointer, output) => {
  const found = usage({ choices: [CHOICE], created: 5, ...body });
  expect(found).toMatchObject({ pointer });
  expect(typeof found === 'object' && found.output?.value).toBe(output);
});

test('finds usage whose counts are texts of digits', () => {
  expect(usage({ choices: [CHOICE], usage: { prompt_tokens: '3' } })).toEqual({ pointer: '/usage' });
  expect(usage({ choices: [{ message: { content: '42' } }] })).toBe('absent');
});

test('takes a count for one of tokens only where a name or a pin says so', () => {
  const counts = [
    { pointer: '/usage/output_tokens', value: 1 },
    { pointer: '/tokens/out', value: 1 },
    { pointer: '/usage/output', value: 1 },
  ];
  const point = 'response.usage.output';
  expect(counts.map((count) => countsTokens(count, point, {}))).toEqual([true, true, false]);
  expect(counts.map((count) => countsTokens(count, point, { pins: { [point]: 'output' } }))).toEqual([
    true,
    true,
    true,
  ]);
});

test('says that usage is absent where no number could report it', () => {
  expect(usage({ id: 'c', created: 17, choices: [CHOICE] })).toBe('absent');
  expect(usage({ created: 17, choices: [CHOICE], usage: null })).toBe('absent');
  expect(usage({ choices: [CHOICE], usage: {} })).toBe('absent');
});

test('does not recognise usage under an unknown name', () => {
  expect(usage({ choices: [CHOICE], spent: { total: 4 } })).toBe('unrecognised');
});

test('reads usage where the profile pins it', () => {
  const pins = { 'response.usage': '/spent', 'response.usage.output': 'made' };
  expect(usage({ choices: [CHOICE], spent: { made: 4 } }, { pins })).toEqual({
    pointer: '/spent',
    output: { pointer: '/spent/made', value: 4 },
  });
  expect(usage({ choices: [CHOICE], usage: { output_tokens: 4 } }, { pins })).toEqual({
    pointer: '/usage',
    output: { pointer: '/usage/output_tokens', value: 4 },
  });
  expect(usage({ choices: [CHOICE] }, { pins })).toBe('absent');
});

test.each(['', '/choices/0'])(
  'takes no whole response and no choice for an item, pinned to "%s"',
  (whole) => {
    const pins = { 'response.finish_reason': whole, 'response.usage': whole };
    const body = { choices: [{ ...CHOICE, finish_reason: 'stop', cost: 1 }], usage: { total_tokens: 4 } };
    expect(reason(body, { pins })).toMatchObject({ pointer: '/choices/0/finish_reason' });
    expect(usage(body, { pins })).toMatchObject({ pointer: '/usage' });
    expect(usage({ choices: [CHOICE], eval_count: 3 }, { pins: { 'response.usage': '' } })).toMatchObject({
      pointer: '',
    });
  },
);

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
