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
