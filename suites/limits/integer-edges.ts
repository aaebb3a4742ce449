import { written } from '../../fixtures/chats/chat.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, smallestChat, tooMuchOutput } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { notExercised } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { sentChat } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';

/** JSON may hold these, but no integer type and no double does (RFC 8259, 6). */
const BEYOND_TYPES = ['1e400', '123456789012345678901234567890'] as const;

/**
 * Each is more than any model generates. In 32 or 64 bits it becomes negative, or its sum with the input does. Every second
 * one, or its sum, does not fit in 64 bits.
 */
const EDGES = [
  '2147483647',
  '9223372036854775808',
  '2147483648',
  BEYOND_TYPES[0],
  '9007199254740993',
  BEYOND_TYPES[1],
  '9223372036854775807',
];

/**
 * The edges of 64 bits are for the cheapest model: they show how numbers are read. The others are for the next models in turn,
 * which requested-output-limited asks after the cheapest: one of them may have no limit.
 */
function edgesOf(info: TargetInfo): readonly Edge[] {
  const [cheapest] = info.models;
  // Their counterparts are those of each-listed-model, which a thrifty run does not send.
  const others = info.thrifty ? [] : usableModels(info).slice(1);
  return EDGES.map((literal, nth) => {
    const other = nth % 2 === 0 ? others[(nth / 2) % others.length] : undefined;
    return [literal, (other ?? cheapest).id];
  });
}

type Edge = readonly [literal: string, model: string];

const chatsAtEdges = requestStimulus<Edge>({
  name: 'integer-edges',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 6,
  inputs: (info) => ({ examples: edgesOf(info) }),
  requests: ([literal, model], info) => {
    const chat = { ...smallestChat(info), model };
    return { counterpart: chatDraft(chat), refused: [tooMuchOutput(chat, written(literal))] };
  },
});

export const integerEdgesRefused = check({
  id: 'integer-edges-refused',
  clauses: ['ERR-4'],
  title: 'refuses a max_tokens at the edge of an integer type, or beyond it',
  given: chatsAtEdges,
  holds: (trial, info) => {
    const [exchange] = trial.exchanges;
    const isBeyondTypes = Number(sentChat(exchange.request)?.['max_tokens']) > 2 ** 64;
    if (isBeyondTypes && dispositionOf(exchange, info) === 'served')
      return notExercised('it was served, and a reader may take such a number for another');
    return refusedUnlikeCounterpart(trial, info, 'no model can generate so many tokens');
  },
});
