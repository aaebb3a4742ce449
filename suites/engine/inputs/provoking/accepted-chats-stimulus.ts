import { acceptedChat, coreChats, pairwiseChats } from '../../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../../../fixtures/chats/chat.ts';
import { type Draft, isBroken } from '../../model/exchange.ts';
import { stimulus, type Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { wasServed } from '../../reading/errors/disposition.ts';
import { chatDraft, chatSettings, smallestChat } from './chat-drafts.ts';
import { otherModels } from './listed-models.ts';
import { tryAgain } from './second-try.ts';

/**
 * Chats that any faithful service serves (SVC-1, SVC-4), each one exchange, with and without `stream`. They are
 * the counterparts of requests that must be refused, so equal ones are sent once in a run.
 */
export const acceptedChats = stimulus<Trial, ChatBody>({
  name: 'accepted-chats',
  stage: 'paid',
  cappedCount: 12,
  // They cover every pair of features together; the first ones are counterparts, which are sent in any case.
  fixedCount: 12,
  // The core chats, with the other roles, a temperature and a stream, and two in every script, one without max_tokens.
  firstCount: 5,
  inputs: (info) => {
    const settings = chatSettings(info);
    return {
      examples: [...pairwiseChats(settings), ...chatsForOthers(info)],
      arbitrary: acceptedChat(settings),
    };
  },
  cost: (chat, info) => ({ counterparts: [chatDraft(chat), ...counterpartsOf(chat, info)] }),
  send: async (chat, sender, info) => {
    const [draft] = counterpartsOf(chat, info);
    const counterpart = draft && (await sender.sendCounterpart(draft));
    // A model that is unavailable, or that needs another max_tokens, gets no further request.
    if (counterpart !== undefined && !wasServed(counterpart, info)) return { exchanges: [], counterpart };
    const exchange = await sender.sendCounterpart(chatDraft(chat));
    return isBroken(exchange) ? tryAgain(exchange, chat, sender, info) : { exchanges: [exchange] };
  },
});

/** The smallest chat for the same model, unless that is the cheapest one. */
function counterpartsOf({ model }: ChatBody, info: TargetInfo): readonly Draft[] {
  const smallest = smallestChat(info);
  return model === smallest.model ? [] : [chatDraft({ ...smallest, model })];
}

/** Roles and options do not depend on the model, so each other model gets one chat with a stream, a system message and a temperature. */
function chatsForOthers(info: TargetInfo): readonly ChatBody[] {
  const maxTokens = info.outputTokens;
  return otherModels(info).flatMap(({ id: model }) => coreChats({ model, maxTokens }).slice(1));
}
