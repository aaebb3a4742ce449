import { notServed } from '../engine/inputs/judging/is-served.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { chatDraft } from '../engine/inputs/provoking/chat-drafts.ts';
import {
  listedModels,
  type KeyedModel,
  withKey,
  usableModels,
} from '../engine/inputs/provoking/listed-models.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import { HOLDS, notExercised, shownBy, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import { countsIn } from '../engine/reading/completions/read-completion.ts';
import { readResult } from '../engine/reading/streams/read-stream.ts';

/** No vocabulary in use has a longer token. */
const LONGEST_TOKEN_BYTES = 256;

/** Judges the answer to a chat with max_tokens, whole or streamed, by its usage and by the length of its text. */
const isWithinMaxTokens: Judgement = ({ exchanges: [exchange] }, info) => {
  const most = sentChat(exchange.request)?.['max_tokens'];
  if (typeof most !== 'number') return notExercised('the request has no max_tokens');
  const elsewhere = notServed(exchange, info);
  if (elsewhere) return elsewhere;

  const { texts, usage } = readResult(answerOf(exchange), info);
  const count = countsIn(usage).output;
  if (count !== undefined && count.value > most) {
    const used = `a usage of ${tokens(count.value)}`;
    return violated('over-max-tokens', `at most ${tokens(most)}`, used, count.pointer);
  }
  const bytes = Math.max(-1, ...texts.map((text) => Buffer.byteLength(text)));
  if (bytes > most * LONGEST_TOKEN_BYTES)
    return violated('text-too-long', `a text that fits in ${tokens(most)}`, `a text of ${bytes} bytes`);
  const isDoubtful = typeof usage === 'object' && (usage.inAnyUnit?.value ?? 0) > most;
  if (count !== undefined || (bytes >= 0 && !isDoubtful)) return HOLDS;
  const why = isDoubtful
    ? 'its usage is more than max_tokens, in a unit that it does not say'
    : 'neither usage nor text was recognised';
  return notExercised(why, 'pin "response.usage.output" in a profile');
};

export const outputWithinMaxTokens = check({
  id: 'output-within-max-tokens',
  everywhere: 'every-output-within-max-tokens',
  clauses: ['REQ-9'],
  title: 'generates at most max_tokens tokens',
  given: acceptedChats,
  thresholds: { 'bytes that a token may have if no usage can be read': LONGEST_TOKEN_BYTES },
  holds: isWithinMaxTokens,
});

const LONG_TASK = 'Count from one to two hundred in words, one number a line.';

/**
 * A task that takes hundreds of tokens, with max_tokens 1, whole and streamed: even the text shows whether the maximum
 * was kept, whatever the usage says. A service may refuse so small a maximum (REQ-8).
 */
const oneToken = requestStimulus({
  name: 'one-token',
  stage: 'paid',
  cappedCount: 1,
  fixedCount: 0,
  inputs: (info) => ({ examples: askedModels(info) }),
  requests: ({ model, key }) => {
    const chat = { model, messages: [{ role: 'user', content: LONG_TASK }], max_tokens: 1 };
    return { served: [chat, { ...chat, stream: true }].map((each) => chatDraft(each, withKey({ key }))) };
  },
});

/** Every listed model; where every completion counts, one that few other checks use. */
function askedModels(info: TargetInfo): readonly KeyedModel[] {
  const all = listedModels(info);
  if (!info.thrifty) return all;
  const usable = new Set(usableModels(info).map(({ id }) => id));
  const others = all.filter(
    ({ model, key }) => key === 'primary' && model !== info.models[0].id && usable.has(model),
  );
  return others.length > 0 ? others : all.slice(0, 1);
}

const bothWithinMaxTokens: Judgement = ({ exchanges: [whole, streamed] }, info) => {
  const ofWhole = isWithinMaxTokens({ exchanges: [whole] }, info);
  if (ofWhole.kind === 'violated' || streamed === undefined) return ofWhole;
  const ofStream = isWithinMaxTokens({ exchanges: [streamed] }, info);
  const isTold =
    ofStream.kind === 'violated' || (ofStream.kind === 'not-exercised' && ofStream.hint !== undefined);
  return ofWhole.kind === 'holds' && !isTold ? HOLDS : shownBy(1, ofStream);
};

export const outputWithinOneToken = check({
  id: 'output-within-one-token',
  clauses: ['REQ-9'],
  title: 'generates a single token when max_tokens is 1, however long the task',
  given: oneToken,
  thresholds: { 'bytes that a token may have if no usage can be read': LONGEST_TOKEN_BYTES },
  holds: bothWithinMaxTokens,
});

function tokens(count: number): string {
  return `${count} output token${count === 1 ? '' : 's'}`;
}
