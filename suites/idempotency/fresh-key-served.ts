import { randomBytes } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { isServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, shownBy } from '../engine/model/ruling.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';

/**
 * The smallest chat twice, with a UUID as fresh Idempotency-Key and with a key that is none; then another chat with each
 * key that is nearly the last one, and as fresh: a service that takes two keys for one finds that the chats differ.
 */
const freshKeys = stimulus<Trial, ChatBody>({
  name: 'fresh-keys',
  stage: 'paid',
  cappedCount: 1,
  inputs: (info) => ({ examples: [smallestChat(info)] }),
  cost: (chat) => ({ served: 3, counterparts: [chatDraft(chat)] }),
  send: async (chat, sender) => {
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    let key = '';
    const made = (): string => {
      key = `order-${randomBytes(15).toString('hex')}`;
      return key;
    };
    const first = await sender.send(chatDraft(chat, { idempotencyKey: { made } }));
    const alike = [
      [otherEnds(key), 'Hello.'],
      [otherCases(key), 'Good day.'],
    ] as const;
    const others = alike.map(([like, content]) =>
      sender.send(
        chatDraft({ ...chat, messages: [{ role: 'user', content }] }, { idempotencyKey: { made: like } }),
      ),
    );
    return { exchanges: [counterpart, first, ...(await Promise.all(others))] };
  },
});

/** Keys that are one with the first where a service cuts keys off; another each time, should one be sent again. */
function otherEnds(key: string): () => string {
  let end = Number.parseInt(key.slice(-1), 16);
  return () => {
    end = (end + 1) % 16;
    return key.slice(0, -1) + end.toString(16);
  };
}

/** Keys that are one with the first where a service does not distinguish cases. */
function otherCases(key: string): () => string {
  let from = 0;
  return () => {
    from += 1;
    return key.slice(0, from - 1) + key.slice(from - 1).toUpperCase();
  };
}

export const freshKeyServed = check({
  id: 'fresh-key-served',
  clauses: ['IDEM-3'],
  title:
    'serves a request with a fresh Idempotency-Key, even after an identical request or one with a similar key',
  given: freshKeys,
  holds: ({ exchanges }, info) => {
    const rulings = exchanges.map((exchange, place) => shownBy(place, isServed(exchange, info)));
    return rulings.find(({ kind }) => kind !== 'holds') ?? HOLDS;
  },
});
