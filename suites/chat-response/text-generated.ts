import { notServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated, shownBy } from '../engine/model/ruling.ts';
import { type Sender, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess, sentChat } from '../engine/reading/answers.ts';
import { countsIn } from '../engine/reading/completions/read-completion.ts';
import { isEventStreamType, readResult, type ResultReading } from '../engine/reading/streams/read-stream.ts';

/** Room for a model that reasons before it writes: what it spends so is not visible. */
const ROOM_TOKENS = 512;

/**
 * The smallest chat, whole and streamed. Where its text is empty although tokens are reported, the same chat with room
 * for a text: a model that reasons may spend a small max_tokens on nothing visible.
 */
const chatsWithRoom = stimulus<Trial, 'both'>({
  name: 'chats-with-room',
  stage: 'paid',
  cappedCount: 1,
  inputs: () => ({ examples: ['both'] }),
  cost: (_, info) => ({
    served: 2,
    counterparts: [chatDraft(smallestChat(info)), chatDraft(smallestChat(info, 'streamed'))],
  }),
  send: async (_, sender, info) => ({
    exchanges: await Promise.all([withRoom('whole', sender, info), withRoom('streamed', sender, info)]),
  }),
});

async function withRoom(form: Form, sender: Sender, info: TargetInfo): Promise<Exchange> {
  const chat = smallestChat(info, form);
  const small = await sender.sendCounterpart(chatDraft(chat));
  if (info.outputTokens >= ROOM_TOKENS || small.outcome.kind !== 'answered' || !isSilent(small, info))
    return small;
  return sender.send(chatDraft({ ...chat, max_tokens: ROOM_TOKENS }, { needsOutput: ROOM_TOKENS }));
}

export const textGenerated = check({
  id: 'text-generated',
  clauses: ['RES-2', 'SVC-1'],
  title: 'generates a text if it reports output tokens and has room for a text',
  decides: 'generates a text',
  given: chatsWithRoom,
  thresholds: { 'output tokens that leave room for a text': ROOM_TOKENS },
  holds: ({ exchanges: [whole] }, info) => hasText(whole, info),
});

export const streamedTextGenerated = check({
  id: 'streamed-text-generated',
  clauses: ['STR-3'],
  title: 'streams a text if it reports output tokens and has room for a text',
  decides: 'streams a text',
  given: chatsWithRoom,
  thresholds: { 'output tokens that leave room for a text': ROOM_TOKENS },
  holds: ({ exchanges: [, streamed] }, info) =>
    streamed === undefined ? notExercised('no stream was asked for') : shownBy(1, hasText(streamed, info)),
});

function hasText(exchange: Exchange, info: TargetInfo): Ruling {
  const answer = answerOf(exchange);
  const { max_tokens: asked, stream } = sentChat(exchange.request) ?? {};
  if (isSuccess(answer) && isEventStreamType(answer) !== (stream === true))
    return notExercised('the answer is not in the requested form: see REQ-7 and STR-1');
  if (Number(asked) >= ROOM_TOKENS && notServed(exchange, info)?.kind === 'not-exercised')
    return inconclusive(`every text is empty, and ${ROOM_TOKENS} tokens are refused: ${MORE_ROOM}`);
  return notServed(exchange, info) ?? judgeText(readResult(answer, info), Number(asked));
}

const MORE_ROOM = '--max-output-tokens may give this model room for a text';

function judgeText({ texts, usage }: ResultReading, asked: number): Ruling {
  if (texts.length === 0) return notExercised('no text was recognised: see RES-2 and STR-3');
  if (texts.join('') !== '') return HOLDS;
  const tokens = countsIn(usage).output?.value ?? 0;
  if (tokens === 0) return notExercised('the text is empty, and no token is reported for it');
  if (asked < ROOM_TOKENS) return inconclusive(`an empty text of ${tokens} tokens: ${MORE_ROOM}`);
  return violated('always-empty', `a text within ${asked} tokens`, `an empty text of ${tokens} tokens`);
}

/** Whether the text of an answer is empty although tokens are reported for it. */
function isSilent(exchange: Exchange, info: TargetInfo): boolean {
  const answer = answerOf(exchange);
  if (!isSuccess(answer)) return false;
  const { texts, usage } = readResult(answer, info);
  return texts.length > 0 && texts.join('') === '' && (countsIn(usage).output?.value ?? 0) > 0;
}

/** An empty text beside tokens is no text yet: whether there ever is one is judged with more room. */
export const emptyBesideTokens: (of: Judgement) => Judgement = (of) => (trial, info) => {
  const ruling = of(trial, info);
  const [exchange] = trial.exchanges;
  if (ruling.kind !== 'holds' || !isSilent(exchange, info)) return ruling;
  return inconclusive(`an empty text, and tokens are reported for it: ${MORE_ROOM}`);
};
