import { expect, test } from 'vitest';
import type { Check } from '../engine/model/check.ts';
import type { Profile } from '../engine/model/target.ts';
import { answered, type AnswerForTest, eventStream } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { outputWithinMaxTokens } from './output-within-max-tokens.ts';
import {
  choicesCarryText,
  finishReasonReturned,
  responseHasChoices,
  responseNames,
  usageReturned,
} from './response-parts.ts';

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
  return ruled(check, { exchanges: [answered(answer, chat)] }, infoForTest({ profile }));
}

const ODD = { choices: [{ message: { content: '' }, stopReason: 'end' }], tokens_used: 3 };

/** The first letters of the rulings: they hold, are not exercised, inconclusive. */
test.each<[string, string, AnswerForTest, (object | string)?]>([
  ['a response of the convention', 'h h h h h', { body: GOOD }],
  ['odd names, an empty text, and a status of 201', 'h h h h h', { body: ODD, status: 201 }],
  ['a refusal', 'n n n n n', { status: 400, body: { error: { code: 'x', message: 'y' } } }],
  ['a failure', 'i i i i i', { status: 500, body: '' }],
  ['a stream', 'n n n n n', { body: 'data: [DONE]\n\n' }, { ...CHAT, stream: true }],
  ['a stream that was not asked for', 'n n n n n', eventStream(1)],
  // It names no max_tokens.
  ['a request that is no JSON', 'h h h h n', { body: GOOD }, '{"model":'],
])('every check, given %s: %s', (_, kinds, answer, chat = CHAT) => {
  const judged = ALL.map((check) => ruling(check, answer, chat).kind);
  expect(judged.map(([first]) => first).join(' ')).toBe(kinds);
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
  for (const other of ALL.slice(1, 4)) expect(ruling(other, answer).kind).toBe('not-exercised');
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

const { usage: _, ...UNCOUNTED } = GOOD;
const UNFINISHED = { ...GOOD, choices: [{ ...CHOICE, finish_reason: null }] };
const NO_TEXT = { code: 'no-text', path: '/choices/1/message/content' };
const NO_REASON = { code: 'no-finish-reason', path: '/choices/0', actual: 'null' };
const beside = (second: object) => ({ body: { ...GOOD, choices: [CHOICE, second] } });
const PARTS = [{ type: 'text', text: 'Hi.' }];
const using = (usage: object) => ({ body: { ...GOOD, usage } });
const saying = (length: number) => [{ ...CHOICE, message: { content: 'x'.repeat(length) } }];
const CHUNK = { choices: [{ delta: { content: 'Hi.' } }], usage: { completion_tokens: 17 } };
const STREAMED = eventStream(CHUNK);
const EMPTY_STREAM = eventStream('[DONE]');
const MOST = 16 * 256;
const COUNT = '/usage/completion_tokens';

test.each<[Check, AnswerForTest, object, object?]>([
  [choicesCarryText, beside({ finish_reason: 'stop' }), NO_TEXT],
  [choicesCarryText, beside({ message: { content: null }, finish_reason: 'stop' }), NO_TEXT],
  [choicesCarryText, beside({ message: { content: PARTS }, finish_reason: 'stop' }), NO_TEXT],
  [finishReasonReturned, { body: UNFINISHED }, NO_REASON],
  [usageReturned, { body: UNCOUNTED }, { code: 'no-usage' }],
  [usageReturned, using({ ...USAGE, completion_tokens: -1 }), { code: 'negative-usage', path: COUNT }],
  [usageReturned, using({ input: -3, output: 0 }), { code: 'negative-usage', path: '/usage/input' }],
  [outputWithinMaxTokens, using({ completion_tokens: 17 }), { code: 'over-max-tokens', path: COUNT }],
  [outputWithinMaxTokens, STREAMED, { code: 'over-max-tokens' }, { ...CHAT, stream: true }],
  // No 16 tokens can hold it, whatever the usage says.
  [outputWithinMaxTokens, { body: { ...GOOD, choices: saying(MOST + 1) } }, { code: 'text-too-long' }],
])('$0.id: is violated given %j, with %j', (check, answer, finding, chat = CHAT) => {
  expect(ruling(check, answer, chat)).toMatchObject({ kind: 'violated', finding });
});

test.each<[Check, string, AnswerForTest, object?]>([
  [outputWithinMaxTokens, 'holds', { body: { choices: saying(MOST), usage: { completion_tokens: 16 } } }],
  [outputWithinMaxTokens, 'holds', { body: { choices: [{}], usage: { completion_tokens: 16 } } }],
  [outputWithinMaxTokens, 'not-exercised', { body: GOOD }, { ...CHAT, max_tokens: undefined }],
  [outputWithinMaxTokens, 'not-exercised', { body: { choices: [{}] } }],
  [outputWithinMaxTokens, 'not-exercised', EMPTY_STREAM, { ...CHAT, stream: true }],
  [finishReasonReturned, 'not-exercised', beside({ message: { content: 'Hi.' }, outcome: 'over' })],
])('$0.id: $1 given $2', (check, kind, answer, chat = CHAT) => {
  expect(ruling(check, answer, chat).kind).toBe(kind);
});

test('takes no count for one of tokens unless its name or the profile says so', () => {
  const body = { ...GOOD, usage: { output: 17 } };
  expect(ruling(outputWithinMaxTokens, { body })).toMatchObject({
    kind: 'not-exercised',
    hint: 'pin "response.usage.output" in a profile',
  });
  const pins = { 'response.usage.output': 'output' };
  expect(ruling(outputWithinMaxTokens, { body }, CHAT, { pins }).kind).toBe('violated');
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
