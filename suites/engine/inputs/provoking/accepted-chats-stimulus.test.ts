import { expect, test } from 'vitest';
import type { ChatBody } from '../../../../fixtures/chats/chat.ts';
import type { AnswerForTest } from '../../test-support/exchange.ts';
import { REFUSED, senderForTest, SERVED } from '../../test-support/rulings.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { acceptedChats } from './accepted-chats-stimulus.ts';

function first(thrifty: boolean): readonly ChatBody[] {
  // The stimulus keeps the type of its inputs to itself; written out and read again, they are what is sent.
  const inputs: readonly ChatBody[] = JSON.parse(
    JSON.stringify(acceptedChats.inputs(infoForTest({ thrifty })).examples),
  );
  return inputs;
}

const forOthers = (thrifty: boolean): readonly ChatBody[] =>
  first(thrifty).filter(({ model }) => model !== 'small');

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

test('leaves max_tokens out in the first draws where completions are scarce', () => {
  expect(first(true).length).toBeLessThanOrEqual(acceptedChats.cappedCount);
  const streamed = open(first(true)).map(({ stream }) => stream === true);
  expect(streamed.length).toBeLessThanOrEqual(5);
  expect(new Set(streamed)).toEqual(new Set([false, true]));
});

test('asks other models for a stream, a system and a temperature, unless every completion counts', () => {
  expect(forOthers(true)).toEqual([]);
  expect(forOthers(false).map(({ model }) => model)).toEqual(['sharp', 'sharp']);
  const fields = new Set(forOthers(false).flatMap((chat) => Object.keys(chat)));
  expect([fields.has('stream'), fields.has('temperature')]).toEqual([true, true]);
});

test('asks for nothing else of a model that does not serve the smallest chat', async () => {
  const sentTo = async (answer: AnswerForTest) => {
    const [chat] = forOthers(false);
    const trial = await acceptedChats.send(
      chat,
      senderForTest(() => answer),
      infoForTest(),
    );
    return [trial.exchanges.length, trial.counterpart === undefined];
  };
  expect([await sentTo(SERVED), await sentTo(REFUSED), await sentTo({ status: 503 })]).toEqual([
    [1, true],
    [0, false],
    [0, false],
  ]);
});
