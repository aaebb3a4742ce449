import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { kindsOf, REFUSED, SERVED, servingCounterparts } from '../kit/test-support/rulings.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { chatServed, optionsServed, rolesServed, normalResponse } from './chats-served.ts';
import { numericBounds } from './numeric-bounds.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 16 };
const SYSTEM = { role: 'system', content: 'Answer in one word.' };
const STREAM: AnswerForTest = {
  headers: { 'content-type': 'text/event-stream' },
  body: 'data: {"choices":[]}\n\n',
};

const kind = (check: typeof chatServed, answer: AnswerForTest, body: object | string = CHAT) =>
  check.holds({ exchanges: [answered(answer, body)] }, infoForTest()).kind;

test('chat-served: judges whether each chat was served', () => {
  const answers = [SERVED, STREAM, REFUSED, { status: 500 }, { status: 402 }, { body: { text: 'Hi.' } }];
  expect(answers.map((answer) => kind(chatServed, answer))).toEqual([
    'holds',
    'holds',
    'violated',
    'violated',
    'inconclusive',
    'inconclusive',
  ]);
});

test('chat-served: violated given success that holds nothing at all', () => {
  const nothing = [{ body: {} }, { body: '' }, { body: 'null' }, { status: 202, body: [] }];
  expect(nothing.map((answer) => kind(chatServed, answer))).toEqual(nothing.map(() => 'violated'));
  const others = [{ body: 'ok' }, { status: 202, body: { job: 7 } }, { body: { outputs: [] } }];
  expect(others.map((answer) => kind(chatServed, answer))).toEqual(others.map(() => 'inconclusive'));
  expect(kind(chatServed, { status: 503, body: {} })).toBe('inconclusive');
});

test('roles-served: judges chats of more than one role', () => {
  const mixed = { ...CHAT, messages: [SYSTEM, ...CHAT.messages] };
  expect([
    kind(rolesServed, SERVED, mixed),
    kind(rolesServed, REFUSED, mixed),
    kind(rolesServed, REFUSED),
  ]).toEqual(['holds', 'violated', 'not-exercised']);
});

test('options-served: judges chats with temperature or stream, or without max_tokens', () => {
  const { max_tokens: _, ...unbounded } = CHAT;
  const bodies = [unbounded, { ...CHAT, temperature: 1 }, { ...CHAT, stream: false }, CHAT];
  expect(bodies.map((body) => kind(optionsServed, REFUSED, body))).toEqual([
    'violated',
    'violated',
    'violated',
    'not-exercised',
  ]);
});

test.each([chatServed, rolesServed, optionsServed])(
  '$id: holds for some accepted chat given a service that serves all',
  async (check) => {
    expect(await kindsOf(check, () => SERVED)).toContain('holds');
  },
);

test('normal-response: holds given one response, also in an unknown shape', () => {
  expect([kind(normalResponse, SERVED), kind(normalResponse, { body: { text: 'Hi.' } })]).toEqual([
    'holds',
    'holds',
  ]);
});

test('normal-response: is violated given an event stream without or with stream false', () => {
  const disguised = { body: 'data: {"choices":[]}\n\n', headers: { 'content-type': 'application/json' } };
  expect([
    kind(normalResponse, STREAM),
    kind(normalResponse, STREAM, { ...CHAT, stream: false }),
    kind(normalResponse, disguised),
  ]).toEqual(['violated', 'violated', 'violated']);
});

test('normal-response: judges no refusal, and no chat with stream true', () => {
  expect([kind(normalResponse, REFUSED), kind(normalResponse, STREAM, { ...CHAT, stream: true })]).toEqual([
    'not-exercised',
    'not-exercised',
  ]);
});

test('normal-response: says where an event stream differs from a response', () => {
  expect(normalResponse.holds({ exchanges: [answered(STREAM, CHAT)] }, infoForTest())).toMatchObject({
    finding: { code: 'streamed', path: 'content-type' },
  });
});

test('normal-response: judges a request that is no JSON like any that asks for no stream', () => {
  expect(kind(normalResponse, STREAM, '{"model":')).toBe('violated');
});

test('the checks of accepted chats leave a request that is no JSON alone', () => {
  const kinds = [chatServed, rolesServed, optionsServed].map((check) => kind(check, SERVED, '{"model":'));
  expect(kinds).toEqual(['not-exercised', 'not-exercised', 'not-exercised']);
});

test('normal-response: is inconclusive given text', () => {
  expect(kind(normalResponse, { body: 'Hi.', headers: {} })).toBe('inconclusive');
});

test('numeric-bounds: observes every bound, whether served or refused', async () => {
  expect([
    await kindsOf(numericBounds, () => SERVED),
    await kindsOf(numericBounds, servingCounterparts(REFUSED)),
  ]).toEqual([['observed'], ['observed']]);
});
