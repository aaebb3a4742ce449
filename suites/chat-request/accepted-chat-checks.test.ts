import { expect, test } from 'vitest';
import {
  answered,
  type AnswerForTest,
  brokenOff,
  eventStream,
  unanswered,
} from '../engine/test-support/exchange.ts';
import { kindsOf, REFUSED, SERVED, ruled } from '../engine/test-support/rulings.ts';
import { chatServed, optionsServed, rolesServed, normalResponse } from './chats-served.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 16 };
const SYSTEM = { role: 'system', content: 'Answer in one word.' };
const STREAM = eventStream({ choices: [] });

const kind = (check: typeof chatServed, answer: AnswerForTest, body: object | string = CHAT) =>
  ruled(check, { exchanges: [answered(answer, body)] }).kind;

const MIXED = { ...CHAT, messages: [SYSTEM, ...CHAT.messages] };
const { max_tokens: _, ...UNBOUNDED } = CHAT;
const DISGUISED = { body: 'data: {"choices":[]}\n\n', headers: { 'content-type': 'application/json' } };
const NO_JSON = '{"model":';

test.each<[typeof chatServed, string, AnswerForTest, (object | string)?]>([
  [chatServed, 'holds', SERVED],
  [chatServed, 'holds', STREAM],
  [chatServed, 'violated', REFUSED],
  [chatServed, 'violated', { status: 500 }],
  [chatServed, 'inconclusive', { status: 402 }],
  [chatServed, 'inconclusive', { status: 503, body: {} }],
  // Success that holds nothing at all is no completion; what holds something may be one.
  [chatServed, 'violated', { body: {} }],
  [chatServed, 'violated', { body: '' }],
  [chatServed, 'violated', { body: 'null' }],
  [chatServed, 'violated', { status: 202, body: [] }],
  [chatServed, 'inconclusive', { body: { text: 'Hi.' } }],
  [chatServed, 'inconclusive', { body: 'ok' }],
  [chatServed, 'inconclusive', { status: 202, body: { job: 7 } }],
  [chatServed, 'inconclusive', { body: { outputs: [] } }],
  [chatServed, 'not-exercised', SERVED, NO_JSON],
  [rolesServed, 'holds', SERVED, MIXED],
  [rolesServed, 'violated', REFUSED, MIXED],
  [rolesServed, 'not-exercised', REFUSED],
  [rolesServed, 'not-exercised', SERVED, NO_JSON],
  [optionsServed, 'violated', REFUSED, UNBOUNDED],
  [optionsServed, 'violated', REFUSED, { ...CHAT, temperature: 1 }],
  [optionsServed, 'violated', REFUSED, { ...CHAT, stream: false }],
  [optionsServed, 'not-exercised', REFUSED],
  [optionsServed, 'not-exercised', SERVED, NO_JSON],
  [normalResponse, 'holds', SERVED],
  [normalResponse, 'holds', { body: { text: 'Hi.' } }],
  [normalResponse, 'violated', STREAM],
  [normalResponse, 'violated', STREAM, { ...CHAT, stream: false }],
  [normalResponse, 'violated', STREAM, NO_JSON],
  [normalResponse, 'violated', DISGUISED],
  [normalResponse, 'not-exercised', REFUSED],
  [normalResponse, 'not-exercised', STREAM, { ...CHAT, stream: true }],
  [normalResponse, 'inconclusive', { body: 'Hi.', headers: {} }],
])('$0.id: %s given %j to %j', (check, expected, answer, body = CHAT) => {
  expect(kind(check, answer, body)).toBe(expected);
});

test.each([chatServed, rolesServed, optionsServed])(
  '$id: holds for some accepted chat given a service that serves all',
  async (check) => {
    expect(await kindsOf(check, () => SERVED)).toContain('holds');
  },
);

const BROKE = 'the connection broke: UND_ERR_SOCKET';

test('chat-served: a chat that breaks two connections is not served; one that breaks off twice is no whole answer', () => {
  const broken = unanswered(answered(SERVED, CHAT), BROKE);
  const trial = { exchanges: [broken, broken], counterpart: answered(SERVED) };
  expect(ruled(chatServed, trial)).toMatchObject({ finding: { code: 'hung-up' } });
  const begun = brokenOff(answered(SERVED, CHAT), BROKE);
  expect(ruled(chatServed, { ...trial, exchanges: [begun, begun] })).toMatchObject({
    finding: { code: 'broken-off' },
  });
  expect(ruled(chatServed, { ...trial, exchanges: [begun, broken] }).kind).toBe('inconclusive');
});
