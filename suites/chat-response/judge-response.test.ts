import { expect, test } from 'vitest';
import type { Check } from '../kit/model/check.ts';
import type { Profile } from '../kit/model/target.ts';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { choicesCarryText, responseHasChoices } from './choices-returned.ts';
import { finishReasonReturned, usageReturned, responseNames } from './finish-and-usage-returned.ts';
import { outputWithinMaxTokens } from './output-within-max-tokens.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 16 };
const CHOICE = { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' };
const USAGE = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const GOOD = { id: 'c-1', object: 'chat.completion', created: 1, choices: [CHOICE], usage: USAGE };
const ALL = [
  responseHasChoices,
  choicesCarryText,
  finishReasonReturned,
  usageReturned,
  outputWithinMaxTokens,
];

function ruling(check: Check, answer: AnswerForTest, chat: object | string = CHAT, profile: Profile = {}) {
  return check.holds({ exchanges: [answered(answer, chat)] }, infoForTest({ profile }));
}

function kinds(answer: AnswerForTest, chat?: object): string[] {
  return ALL.map((check) => ruling(check, answer, chat).kind);
}

test('every check holds given a response of the convention', () => {
  expect(kinds({ body: GOOD })).toEqual(ALL.map(() => 'holds'));
});

test('every check holds given odd names, an empty text, and a status of 201', () => {
  const body = { choices: [{ message: { content: '' }, stopReason: 'end' }], tokens_used: 3 };
  expect(kinds({ body, status: 201 })).toEqual(ALL.map(() => 'holds'));
});

test('no check judges a refusal', () => {
  expect(kinds({ status: 400, body: { error: { code: 'x', message: 'y' } } })).toEqual(
    ALL.map(() => 'not-exercised'),
  );
});

test('no check takes a failure for an answer', () => {
  expect(kinds({ status: 500, body: '' })).toEqual(ALL.map(() => 'inconclusive'));
});

test('the checks of a response leave streams alone', () => {
  const streamed = kinds({ body: 'data: [DONE]\n\n' }, { ...CHAT, stream: true });
  expect(streamed.slice(0, 4)).toEqual(ALL.slice(0, 4).map(() => 'not-exercised'));
  const unasked = { body: 'data: 1\n\n', headers: { 'content-type': 'text/event-stream' } };
  expect(kinds(unasked).slice(0, 4)).toEqual(ALL.slice(0, 4).map(() => 'not-exercised'));
});

test.each([
  ['a body that is no JSON', { body: '<html>' }, 'no-object', undefined],
  ['an array', { body: '[]' }, 'no-object', undefined],
  ['a body without choices', { body: { text: 'Hello.' } }, 'no-choices', '/choices'],
  ['choices that are no array', { body: { choices: { 0: CHOICE } } }, 'no-choices', '/choices'],
  ['no choice', { body: { choices: [] } }, 'empty-choices', '/choices'],
])('violates RES-1, and only RES-1, given %s', (_, answer, code, path) => {
  const violation = ruling(responseHasChoices, answer);
  expect(violation).toMatchObject({ kind: 'violated', finding: { code } });
  expect(violation.kind === 'violated' && violation.finding.path).toBe(path);
  expect(kinds(answer).slice(1, 4)).toEqual(['not-exercised', 'not-exercised', 'not-exercised']);
});

test.each([
  ['no message', {}],
  ['null for content', { message: { content: null } }],
  ['parts for content', { message: { content: [{ type: 'text', text: 'Hi.' }] } }],
])('violates RES-2 given %s in the second choice', (_, second) => {
  const body = { ...GOOD, choices: [CHOICE, { ...second, finish_reason: 'stop' }] };
  expect(ruling(choicesCarryText, { body })).toMatchObject({
    kind: 'violated',
    finding: { code: 'no-text', path: '/choices/1/message/content' },
  });
});

test('violates RES-3 given null for the finish reason and nothing else that could be one', () => {
  const body = { ...GOOD, choices: [{ ...CHOICE, finish_reason: null }] };
  expect(ruling(finishReasonReturned, { body })).toMatchObject({
    finding: { code: 'no-finish-reason', path: '/choices/0', actual: 'null' },
  });
});

test('leaves RES-3 open given an unknown name in the second choice only', () => {
  const second = { message: { content: 'Hi.' }, outcome: 'over' };
  const body = { choices: [CHOICE, second], usage: USAGE };
  expect(ruling(finishReasonReturned, { body }).kind).toBe('not-exercised');
});

test('the checks of a response judge that to a request which is no JSON, and names no max_tokens', () => {
  const kindsThen = ALL.map((check) => ruling(check, { body: GOOD }, '{"model":').kind);
  expect(kindsThen).toEqual(['holds', 'holds', 'holds', 'holds', 'not-exercised']);
});

test('leaves RES-3 and RES-4 open given unknown names, and says what to pin', () => {
  const body = { choices: [{ message: { content: 'Hi.' }, outcome: 'over' }], spent: { made: 2 } };
  expect(ruling(finishReasonReturned, { body })).toMatchObject({
    hint: expect.stringContaining('response.finish_reason'),
  });
  expect(ruling(usageReturned, { body })).toMatchObject({ hint: expect.stringContaining('response.usage') });
  const pins = { 'response.finish_reason': '/choices/0/outcome', 'response.usage': '/spent' };
  expect(ruling(finishReasonReturned, { body }, CHAT, { pins }).kind).toBe('holds');
  expect(ruling(usageReturned, { body }, CHAT, { pins }).kind).toBe('holds');
});

test('violates RES-4 given no number that could report usage', () => {
  const { usage: _, ...body } = GOOD;
  expect(ruling(usageReturned, { body })).toMatchObject({ finding: { code: 'no-usage' } });
});

test('violates RES-4 given a count of tokens below zero', () => {
  const usage = { ...USAGE, completion_tokens: -1 };
  expect(ruling(usageReturned, { body: { ...GOOD, usage } })).toMatchObject({
    finding: { code: 'negative-usage', path: '/usage/completion_tokens' },
  });
});

test('violates REQ-9 given more reported output than max_tokens, whole or streamed', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 17 };
  expect(ruling(outputWithinMaxTokens, { body: { ...GOOD, usage } })).toMatchObject({
    finding: { code: 'over-max-tokens', path: '/usage/completion_tokens' },
  });
  const body = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi.' } }], usage })}\n\n`;
  const headers = { 'content-type': 'text/event-stream' };
  expect(ruling(outputWithinMaxTokens, { body, headers }, { ...CHAT, stream: true })).toMatchObject({
    finding: { code: 'over-max-tokens' },
  });
});

test('violates REQ-9 given a text that no 16 tokens can hold, whatever usage says', () => {
  const choices = [{ ...CHOICE, message: { content: 'x'.repeat(16 * 256 + 1) } }];
  expect(ruling(outputWithinMaxTokens, { body: { ...GOOD, choices } })).toMatchObject({
    finding: { code: 'text-too-long' },
  });
});

test('holds REQ-9 given just as much as max_tokens allows, by usage and by the text', () => {
  const usage = { completion_tokens: 16 };
  const choices = [{ ...CHOICE, message: { content: 'x'.repeat(16 * 256) } }];
  expect(ruling(outputWithinMaxTokens, { body: { choices, usage } }).kind).toBe('holds');
  expect(ruling(outputWithinMaxTokens, { body: { choices: [{}], usage } }).kind).toBe('holds');
});

test('takes no count for one of tokens unless its name or the profile says so', () => {
  const body = { ...GOOD, usage: { output: 17 } };
  expect(ruling(outputWithinMaxTokens, { body })).toMatchObject({
    kind: 'not-exercised',
    hint: 'if it counts tokens, pin "response.usage.output": "output" in a profile',
  });
  const pins = { 'response.usage.output': 'output' };
  expect(ruling(outputWithinMaxTokens, { body }, CHAT, { pins }).kind).toBe('violated');
});

test('does not judge REQ-9 of a chat without max_tokens, nor of an answer without text and usage', () => {
  expect(ruling(outputWithinMaxTokens, { body: GOOD }, { ...CHAT, max_tokens: undefined }).kind).toBe(
    'not-exercised',
  );
  expect(ruling(outputWithinMaxTokens, { body: { choices: [{}] } }).kind).toBe('not-exercised');
  const empty = { body: 'data: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } };
  expect(ruling(outputWithinMaxTokens, empty, { ...CHAT, stream: true }).kind).toBe('not-exercised');
});

test('observes the names of a response', () => {
  expect(ruling(responseNames, { body: GOOD })).toEqual({
    kind: 'observed',
    observations: [
      { point: 'response.fields', value: ['choices', 'created', 'id', 'object', 'usage'] },
      { point: 'response.finish_reason', value: '/choices/0/finish_reason' },
      { point: 'response.usage', value: '/usage' },
      { point: 'response.usage.input', value: 'prompt_tokens' },
      { point: 'response.usage.output', value: 'completion_tokens' },
      { point: 'response.usage.total', value: 'total_tokens' },
    ],
  });
});

test('observes only what it recognises', () => {
  expect(ruling(responseNames, { body: { choices: [{ outcome: 'x' }] } })).toEqual({
    kind: 'observed',
    observations: [{ point: 'response.fields', value: ['choices'] }],
  });
});
