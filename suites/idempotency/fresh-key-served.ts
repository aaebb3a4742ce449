import { randomBytes } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import { HOLDS, notExercised } from '../kit/model/ruling.ts';
import { stimulus, type Trial } from '../kit/model/stimulus.ts';
import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';

/** The smallest chat twice, each time with a fresh Idempotency-Key: a UUID, and a key that is none. */
const freshKeys = stimulus<Trial, ChatBody>({
  name: 'fresh-keys',
  stage: 'paid',
  cappedCount: 1,
  inputs: (info) => ({ examples: [smallestChat(info)] }),
  cost: (chat) => ({ served: 1, counterparts: [chatDraft(chat)] }),
  send: async (chat, sender) => {
    const first = await sender.sendCounterpart(chatDraft(chat));
    const idempotencyKey = { exactly: `order-${randomBytes(8).toString('hex')}` };
    return { exchanges: [first, await sender.send(chatDraft(chat, { idempotencyKey }))] };
  },
});

const allServed: Judgement = ({ exchanges }, info) => {
  if (exchanges.length === 0) return notExercised('no request was sent');
  const rulings = exchanges.map((exchange) => isServed(exchange, info));
  return rulings.find(({ kind }) => kind !== 'holds') ?? HOLDS;
};

export const freshKeyServed = check({
  id: 'fresh-key-served',
  clauses: ['IDEM-3'],
  title: 'serves a request with a fresh Idempotency-Key, even after an identical request',
  given: freshKeys,
  holds: allServed,
});
