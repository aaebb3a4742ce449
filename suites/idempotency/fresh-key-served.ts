import { randomBytes } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import { HOLDS, notExercised, shownBy } from '../kit/model/ruling.ts';
import { stimulus, type Trial } from '../kit/model/stimulus.ts';
import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';

/** Other chats of the same size: a service that takes two keys for one finds that the chats differ. */
const OTHER_TEXTS = ['Hello.', 'Good day.'] as const;

/**
 * The smallest chat twice, with a UUID as fresh Idempotency-Key and with a key that is none; then another chat with each
 * key that is nearly the last one, and as fresh.
 */
const freshKeys = stimulus<Trial, ChatBody>({
  name: 'fresh-keys',
  stage: 'paid',
  cappedCount: 1,
  inputs: (info) => ({ examples: [smallestChat(info)] }),
  cost: (chat) => ({ served: 1 + OTHER_TEXTS.length, counterparts: [chatDraft(chat)] }),
  send: async (chat, sender) => {
    const key = `order-${randomBytes(15).toString('hex')}`;
    const exchanges = [await sender.sendCounterpart(chatDraft(chat))];
    for (const [exactly, other] of [[key, chat] as const, ...withKeysLike(key, chat)])
      exchanges.push(await sender.send(chatDraft(other, { idempotencyKey: { exactly } })));
    return { exchanges };
  },
});

/** Keys that are one with the first where a service cuts keys off, or does not distinguish cases. */
function withKeysLike(key: string, chat: ChatBody): readonly (readonly [string, ChatBody])[] {
  const last = key.endsWith('0') ? '1' : '0';
  const keys = [`${key.slice(0, -1)}${last}`, key.toUpperCase()];
  return OTHER_TEXTS.map((content, index) => [
    keys[index] ?? key,
    { ...chat, messages: [{ role: 'user', content }] },
  ]);
}

const allServed: Judgement = ({ exchanges }, info) => {
  if (exchanges.length === 0) return notExercised('no request was sent');
  const rulings = exchanges.map((exchange, place) => shownBy(place, isServed(exchange, info)));
  return rulings.find(({ kind }) => kind !== 'holds') ?? HOLDS;
};

export const freshKeyServed = check({
  id: 'fresh-key-served',
  clauses: ['IDEM-3'],
  title:
    'serves a request with a fresh Idempotency-Key, even after an identical request or one with a similar key',
  given: freshKeys,
  holds: allServed,
});
