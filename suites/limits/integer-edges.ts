import { written } from '../../fixtures/chats/chat.ts';
import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, smallestChat, tooMuchOutput } from '../engine/inputs/provoking/chat-drafts.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { notExercised } from '../engine/model/ruling.ts';
import { sentChat } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';

/** JSON may hold these, but no integer type and no double does (RFC 8259, 6). */
const BEYOND_TYPES = ['1e400', '123456789012345678901234567890'];

/** Each is more than any model generates. In 32 or 64 bits it is below zero, or its sum with the input is. */
const EDGES = [
  '2147483647',
  '9223372036854775808',
  '2147483648',
  ...BEYOND_TYPES,
  '9007199254740993',
  '9223372036854775807',
];

const chatsAtEdges = requestStimulus<string>({
  name: 'integer-edges',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 6,
  inputs: () => ({ examples: EDGES }),
  requests: (literal, info) => ({
    counterpart: chatDraft(smallestChat(info)),
    refused: [tooMuchOutput(smallestChat(info), written(literal))],
  }),
});

export const integerEdgesRefused = check({
  id: 'integer-edges-refused',
  clauses: ['ERR-4'],
  title: 'refuses a max_tokens that no integer type holds, or whose sum with the input none does',
  given: chatsAtEdges,
  holds: (trial, info) => {
    const [exchange] = trial.exchanges;
    const isBeyondTypes = Number(sentChat(exchange.request)?.['max_tokens']) > 2 ** 64;
    if (isBeyondTypes && dispositionOf(exchange, info) === 'served')
      return notExercised('it was served, and a reader may take such a number for another');
    return refusedUnlikeCounterpart(trial, info, 'no model can generate so many tokens');
  },
});
