import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import {
  chatDraft,
  chatSettings,
  smallestChat,
  tooMuchOutput,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { otherModels } from '../engine/inputs/provoking/listed-models.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isTokenLimitError, plainRefusals } from './token-limits.ts';

/**
 * More than any model generates: one that is 1 when cut to 32 bits, and one that fits in them. The second one is streamed
 * first: a mistake of streams and one of such cuts then show in different chats.
 */
const TOO_MANY_TOKENS = [4_294_967_297, 2_000_000_000];

interface Excess {
  readonly chat: ChatBody;
  readonly tokens: number;
}

/** Each number with each chat, in rotation: the first two chats, of which one streams, get one number each. */
function excesses(chats: readonly ChatBody[]): readonly Excess[] {
  return rotatingPairs(chats, TOO_MANY_TOKENS).map(([chat, tokens]) => ({ chat, tokens }));
}

/** Chats for the cheapest model, and unless every completion counts the smallest chat for each other model. */
function chatsOf(info: TargetInfo): readonly ChatBody[] {
  const chats = coreChats(chatSettings(info));
  return [...chats, ...otherModels(info).map(({ id }) => ({ ...smallestChat(info), model: id }))];
}

/** Chats with a max_tokens that no model can reach; the counterpart has a usual max_tokens. */
const chatsForTooMuchOutput = requestStimulus<Excess>({
  name: 'too-much-output',
  stage: 'free',
  cappedCount: 2,
  // One without `stream` and one with it, which often has its own validation.
  fixedCount: 2,
  inputs: (info) => ({ examples: excesses(chatsOf(info)) }),
  requests: ({ chat, tokens }, info) => ({
    counterpart: chatDraft(chat),
    refused: [tooMuchOutput(chat, tokens)],
    next: plainRefusals(info),
  }),
});

export const requestedOutputLimited = check({
  id: 'requested-output-limited',
  clauses: ['ERR-4'],
  title: 'answers a request for more output than any model generates with an error',
  decides: 'refuses too much requested output',
  given: chatsForTooMuchOutput,
  holds: isTokenLimitError('no model can generate so many tokens'),
});
