import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChatBody, HEADERS } from '../../fixtures/chats/chat.ts';
import { isServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, observed, shownBy, violated } from '../engine/model/ruling.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { countsIn, readCompletion } from '../engine/reading/completions/read-completion.ts';
import { describeAnswer, dispositionOf, wasServed } from '../engine/reading/errors/disposition.ts';

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

type Use = 'missing' | 'repeated_same' | 'repeated_other' | 'in_flight';

/** Where a key that is used again gets the same bytes, `counterpart` is the same chat with another key, or with none. */
interface KeyTrial extends Trial {
  readonly point: `idempotency.${Use}`;
  /** Of two requests that are sent together: whether both were under way for long enough. */
  readonly overlapped?: boolean;
}

type Used = Pick<KeyTrial, 'exchanges' | 'overlapped'>;

/** The last exchange of each is observed; the one before it, if any, is the first use of the key. */
const USES: Readonly<Record<Use, (sender: Sender, info: TargetInfo) => Promise<Used>>> = {
  missing: async (sender, info) => ({ exchanges: [await sender.sendCounterpart(keylessDraft(info))] }),
  repeated_same: (sender, info) => repeated(smallestChat(info), sender, info),
  repeated_other: (sender, info) => repeated({ ...smallestChat(info), temperature: 0.5 }, sender, info),
  in_flight: (sender, info) => together(smallestChat(info), sender),
};

/** Two requests that are sent together and answered sooner may have run one after the other. */
const MIN_OVERLAP_MS = 60;

/** The same request twice, the second one without waiting for an answer to the first. */
async function together(chat: ChatBody, sender: Sender): Promise<Used> {
  let left = 0;
  const bothLeft = Promise.withResolvers<void>();
  const hold = async (): Promise<void> => {
    if ((left += 1) === 2) bothLeft.resolve();
  };
  const draft = chatDraft(chat, { idempotencyKey: { exactly: randomUUID() }, hold });
  const both = [sender.send(draft), sender.send(draft)];
  const ofTime = bothLeft.promise.then(async () => {
    await wait(MIN_OVERLAP_MS);
    // A busy process notices the time before an answer that has arrived.
    await wait(1);
    return 'overlapped' as const;
  });
  const first = await Promise.race([ofTime, ...both]);
  const exchanges = await Promise.all(both);
  // After a rate limit error one of them was sent again, when the other may have ended.
  return { exchanges, overlapped: first === 'overlapped' && left === 2 };
}

/** A chat with the key of the smallest chat, which other checks send too. */
async function repeated(chat: ChatBody, sender: Sender, info: TargetInfo): Promise<Used> {
  const first = await sender.sendCounterpart(chatDraft(smallestChat(info)));
  const exactly = first.request.headers[HEADERS.idempotencyKey] ?? '';
  return { exchanges: [first, await sender.send(chatDraft(chat, { idempotencyKey: { exactly } }))] };
}

function keylessDraft(info: TargetInfo): Draft {
  return chatDraft(smallestChat(info), { idempotencyKey: 'none' });
}

const keyUses = stimulus<KeyTrial, Use>({
  name: 'idempotency-keys',
  stage: 'paid',
  cappedCount: 4,
  inputs: () => ({ examples: ['repeated_other', 'missing', 'repeated_same', 'in_flight'] }),
  cost: (use, info) => {
    const counterparts = [keylessDraft(info), chatDraft(smallestChat(info))];
    return use === 'missing' ? { counterparts: counterparts.slice(0, 1) } : { served: 2, counterparts };
  },
  send: async (use, sender, info) => {
    const used = { point: `idempotency.${use}` as const, ...(await USES[use](sender, info)) };
    const [first, last] = used.exchanges;
    if (first === undefined || last === undefined || !isSameAnswer(first, last)) return used;
    return { ...used, counterpart: await another(use, sender, info) };
  },
});

/** The smallest chat under another key; where that is the key that was repeated, under none if it is served so. */
async function another(use: Use, sender: Sender, info: TargetInfo): Promise<Exchange> {
  const draft = chatDraft(smallestChat(info));
  if (use === 'in_flight') return sender.sendCounterpart(draft);
  const keyless = await sender.sendCounterpart(keylessDraft(info));
  return wasServed(keyless, info) ? keyless : sender.send(draft);
}

/** Observes what a use of a key gets: `served`, `replayed` (identical bytes), `served_again`, or `refused`. */
const observeKeyUse: Judgement<KeyTrial> = ({ point, exchanges, counterpart, overlapped }, info) => {
  const before = exchanges.slice(0, -1);
  const last = exchanges.at(-1) ?? exchanges[0];
  const dispositions = exchanges.map((exchange) => dispositionOf(exchange, info));
  if (dispositions.some((each) => each !== 'served' && each !== 'refused'))
    return inconclusive(`neither accepted nor refused: ${describeAnswer(last, info)}`);
  if (dispositions.every((each) => each === 'refused') && before.length > 0)
    return notExercised(`the key's first use was refused too: ${describeAnswer(last, info)}`);
  if (dispositions.includes('refused')) return observed({ point, value: 'refused' });
  const [first] = before;
  if (first === undefined) return observed({ point, value: 'served' });
  if (point === 'idempotency.in_flight' && overlapped !== true)
    return notExercised(
      `an answer arrived before both requests were under way for ${MIN_OVERLAP_MS} ms, so they may not have overlapped`,
    );
  if (!isSameAnswer(first, last)) return observed({ point, value: 'served_again' });
  if (counterpart !== undefined && isSameAnswer(first, counterpart))
    return notExercised(
      'the same request with a fresh key gets identical bytes, so a replay cannot be recognised',
    );
  return observed({ point, value: 'replayed' });
};

function isSameAnswer({ outcome: one }: Exchange, { outcome: other }: Exchange): boolean {
  if (one.kind !== 'answered' || other.kind !== 'answered') return false;
  return Buffer.from(one.answer.body).equals(other.answer.body);
}

export const keyUsesObserved = check({
  id: 'idempotency-keys',
  clauses: ['IDEM-4'],
  title: 'serves, replays or refuses a request whose Idempotency-Key is missing or was used before',
  given: keyUses,
  thresholds: { 'ms that two requests must overlap': MIN_OVERLAP_MS },
  holds: observeKeyUse,
});
