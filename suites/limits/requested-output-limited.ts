import { smokeChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { chatDraft, chatSettings, smallestChat } from '../kit/provoking/chat-drafts.ts';
import { otherModels } from '../kit/provoking/listed-models.ts';
import { rotatingPairs } from '../../fixtures/chats/combinations.ts';
import { check } from '../kit/model/check.ts';
import { stimulus, type Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { isTokenLimitError } from './token-limits.ts';

/** More than any model generates: an integer to every reader, and one that is 1 to whoever keeps 32 bits of it. */
const TOO_MANY_TOKENS = [2_000_000_000, 4_294_967_297];

interface Excess {
  readonly chat: ChatBody;
  readonly tokens: number;
}

/** Each number with each chat, by turns: the first two chats, of which one streams, begin with one each. */
function excesses(chats: readonly ChatBody[]): readonly Excess[] {
  return rotatingPairs(chats, TOO_MANY_TOKENS).map(([chat, tokens]) => ({ chat, tokens }));
}

/** Of the cheapest model, and where a completion more or less does not matter the smallest of each of the others. */
function chatsOf(info: TargetInfo): readonly ChatBody[] {
  const chats = smokeChats(chatSettings(info));
  return [...chats, ...otherModels(info).map(({ id }) => ({ ...smallestChat(info), model: id }))];
}

/** Chats that ask for more output than there can be; the control asks for a usual amount. */
const chatsForTooMuchOutput = stimulus<Trial, Excess>({
  name: 'too-much-output',
  stage: 'free',
  smokeCount: 2,
  // One without `stream` and one with it: often checked elsewhere.
  fixedCount: 2,
  inputs: (info) => ({ examples: excesses(chatsOf(info)) }),
  cost: ({ chat }) => ({ refused: 1, open: 1, counterparts: [chatDraft(chat)] }),
  send: async ({ chat, tokens }, sender) => {
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    const mutant = chatDraft({ ...chat, max_tokens: tokens }, { needsOutput: tokens });
    return { exchanges: [await sender.send(mutant)], counterpart };
  },
});

export const requestedOutputLimited = check({
  id: 'requested-output-limited',
  clauses: ['ERR-4'],
  title: 'answers a request for more output than any model generates with an error',
  given: chatsForTooMuchOutput,
  holds: isTokenLimitError('no model can generate so many tokens'),
});
