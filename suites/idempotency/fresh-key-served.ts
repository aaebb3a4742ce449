import { randomBytes } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { isServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, shownBy, violated } from '../engine/model/ruling.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { countsIn, readCompletion } from '../engine/reading/completions/read-completion.ts';

/** An input of more tokens than the smallest chat, in any tokenizer. */
const LONGER = 'Name a colour, then a fruit of this colour, and then a tree that bears such a fruit.';

/**
 * The smallest chat twice, with a UUID as fresh Idempotency-Key and with a key that is none; then another chat with a key
 * that is nearly the last one, and as fresh: a service that takes two keys for one finds that the chats differ, or repeats
 * the answer to the first one.
 */
const freshKeys = stimulus<Trial, ChatBody>({
  name: 'fresh-keys',
  stage: 'paid',
  cappedCount: 1,
  inputs: (info) => ({ examples: [smallestChat(info)] }),
  cost: (chat) => ({ served: 2, counterparts: [chatDraft(chat)] }),
  send: async (chat, sender) => {
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    let key = '';
    const made = (): string => {
      key = `order-${randomBytes(15).toString('hex')}a`;
      return key;
    };
    const again = await sender.send(chatDraft(chat, { idempotencyKey: { made } }));
    const other = { ...chat, messages: [{ role: 'user', content: LONGER }] };
    const alike = await sender.send(chatDraft(other, { idempotencyKey: { made: nearly(key) } }));
    return { exchanges: [counterpart, again, alike] };
  },
});

/**
 * Ends in an upper-case letter in place of the lower-case one: the same key where a service cuts keys off, and where it
 * does not distinguish cases. Another each time, should it be sent again.
 */
function nearly(key: string): () => string {
  let letter = 'A'.charCodeAt(0);
  return () => key.slice(0, -1) + String.fromCharCode(letter++);
}

export const freshKeyServed = check({
  id: 'fresh-key-served',
  clauses: ['IDEM-3'],
  title:
    'serves a request with a fresh Idempotency-Key, even after an identical request or one with a similar key',
  given: freshKeys,
  holds: ({ exchanges }, info) => {
    const rulings = exchanges.map((exchange, place) => shownBy(place, isServed(exchange, info)));
    const [, first, alike] = exchanges;
    return (
      rulings.find(({ kind }) => kind !== 'holds') ?? (isRepeated(first, alike, info) ? REPEATED : HOLDS)
    );
  },
});

const REPEATED = shownBy(
  2,
  violated(
    'repeated',
    'a new answer, since its Idempotency-Key is fresh',
    'the answer to the request before it, whose key differs only in its last character',
  ),
);

/** Whether two chats of different length got the same bytes, with the same count of input tokens. */
function isRepeated(one: Exchange | undefined, other: Exchange | undefined, info: TargetInfo): boolean {
  if (one === undefined || other === undefined) return false;
  const [first, second] = [answerOf(one), answerOf(other)];
  const { input } = countsIn(readCompletion(first, info)?.usage);
  return input !== undefined && Buffer.from(first.body).equals(second.body);
}
