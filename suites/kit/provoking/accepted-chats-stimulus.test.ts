import { expect, test } from 'vitest';
import type { ChatBody } from '../../../fixtures/chat.ts';
import { acceptedChats } from './accepted-chats-stimulus.ts';
import { surveyForTest } from '../for-test/survey-for-test.ts';

function first(thrifty: boolean): readonly ChatBody[] {
  // The stimulus keeps the type of its inputs to itself; written out and read again, they are what is sent.
  const inputs: readonly ChatBody[] = JSON.parse(
    JSON.stringify(acceptedChats.inputs(surveyForTest({ thrifty })).first),
  );
  return inputs;
}

function open(chats: readonly ChatBody[]): readonly ChatBody[] {
  return chats.filter((chat) => chat.max_tokens === undefined);
}

test('begins with the smallest chat', () => {
  const smallest = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], max_tokens: 16 };
  expect([first(true)[0], first(false)[0]]).toEqual([smallest, smallest]);
});

test('never holds the same chat twice', () => {
  const texts = first(false).map((chat) => JSON.stringify(chat));
  expect(new Set(texts).size).toBe(texts.length);
});

test('leaves max_tokens out a few times where every completion counts, and in time to be sent', () => {
  expect(first(true).length).toBeLessThanOrEqual(acceptedChats.few);
  const streamed = open(first(true)).map(({ stream }) => stream === true);
  expect(streamed.length).toBeLessThanOrEqual(5);
  expect(new Set(streamed)).toEqual(new Set([false, true]));
  expect(open(first(false)).length).toBeGreaterThan(5);
});
