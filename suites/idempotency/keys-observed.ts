import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type ChatBody, HEADERS } from '../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised, observed } from '../engine/model/ruling.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { describeAnswer, dispositionOf, wasServed } from '../engine/reading/errors/disposition.ts';

type Point = Extract<OpenPointName, `idempotency.${string}`>;

/** Where a key that is used again gets the same bytes, `counterpart` is the same chat with another key, or with none. */
interface KeyTrial extends Trial {
  readonly point: Point;
  /** Of two requests that are sent together: whether both were under way for long enough. */
  readonly overlapped?: boolean;
}

interface Uses extends Pick<KeyTrial, 'overlapped'> {
  readonly exchanges: readonly Exchange[];
}

/** The last exchange of each is observed; the one before it, if any, is the first use of the key. */
const USES: Readonly<Record<Point, (sender: Sender, info: TargetInfo) => Promise<Uses>>> = {
  'idempotency.missing': async (sender, info) => ({
    exchanges: [await sender.sendCounterpart(keylessDraft(info))],
  }),
  'idempotency.repeated_same': (sender, info) => repeated(smallestChat(info), sender, info),
  'idempotency.repeated_other': (sender, info) =>
    repeated({ ...smallestChat(info), temperature: 0.5 }, sender, info),
  'idempotency.in_flight': (sender, info) => together(smallestChat(info), sender),
};

/** Two requests that are sent together and answered sooner may have run one after the other. */
const MIN_OVERLAP_MS = 60;

/** The same request twice, the second one without waiting for an answer to the first. */
async function together(chat: ChatBody, sender: Sender): Promise<Uses> {
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
async function repeated(chat: ChatBody, sender: Sender, info: TargetInfo): Promise<Uses> {
  const first = await sender.sendCounterpart(chatDraft(smallestChat(info)));
  const exactly = first.request.headers[HEADERS.idempotencyKey] ?? '';
  return { exchanges: [first, await sender.send(chatDraft(chat, { idempotencyKey: { exactly } }))] };
}

function keylessDraft(info: TargetInfo): Draft {
  return chatDraft(smallestChat(info), { idempotencyKey: 'none' });
}

const keyUses = stimulus<KeyTrial, Point>({
  name: 'idempotency-keys',
  stage: 'paid',
  cappedCount: 4,
  inputs: () => ({
    examples: [
      'idempotency.missing',
      'idempotency.repeated_same',
      'idempotency.repeated_other',
      'idempotency.in_flight',
    ],
  }),
  cost: (point, info) => {
    const counterparts = [keylessDraft(info), chatDraft(smallestChat(info))];
    if (point === 'idempotency.missing') return { counterparts: counterparts.slice(0, 1) };
    return { served: 2, counterparts };
  },
  send: async (point, sender, info) => {
    const uses = await USES[point](sender, info);
    const [first, last] = uses.exchanges;
    if (first === undefined || last === undefined || !isSameAnswer(first, last)) return { point, ...uses };
    return { point, ...uses, counterpart: await another(point, sender, info) };
  },
});

/** The smallest chat under another key; where that is the key that was repeated, under none if it is served so. */
async function another(point: Point, sender: Sender, info: TargetInfo): Promise<Exchange> {
  const draft = chatDraft(smallestChat(info));
  if (point === 'idempotency.in_flight') return sender.sendCounterpart(draft);
  const keyless = await sender.sendCounterpart(keylessDraft(info));
  return wasServed(keyless, info) ? keyless : sender.send(draft);
}

/** Observes what a use of a key gets: `served`, `replayed` (identical bytes), `served_again`, or `refused`. */
const observeKeyUse: Judgement<KeyTrial> = ({ point, exchanges, counterpart, overlapped }, info) => {
  const before = exchanges.slice(0, -1);
  const last = exchanges.at(-1) ?? exchanges[0];
  const dispositions = exchanges.map((exchange) => dispositionOf(exchange, info));
  if (dispositions.some((each) => each !== 'served' && each !== 'refused')) {
    return inconclusive(`neither accepted nor refused: ${describeAnswer(last, info)}`);
  }
  if (dispositions.every((each) => each === 'refused') && before.length > 0) {
    return notExercised(`the key's first use was refused too: ${describeAnswer(last, info)}`);
  }
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
