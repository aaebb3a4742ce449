import {
  acceptedChat,
  smokeChats,
  pairwiseChats,
  thriftyPairwiseChats,
} from '../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, ChatSettings } from '../../../fixtures/chats/chat.ts';
import { chatDraft, chatSettings, smallestChat } from './chat-drafts.ts';
import type { Draft, Exchange } from '../model/exchange.ts';
import { dispositionOf } from '../reading/errors/disposition.ts';
import { otherModels } from './listed-models.ts';
import { stimulus, type Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';

/**
 * Chats that any faithful service serves (SVC-1, SVC-4), each one exchange, with and without `stream`. They are
 * the counterparts of what must be refused, so an equal one is sent once in a run.
 */
export const acceptedChats = stimulus<Trial, ChatBody>({
  name: 'accepted-chats',
  stage: 'paid',
  smokeCount: 16,
  // Chosen together, so that every two kinds of everything meet; the first ones are counterparts, and sent in any case.
  fixedCount: 16,
  inputs: (info) => {
    const settings = chatSettings(info);
    const first = firstChats(settings, info.thrifty);
    return { examples: [...first, ...chatsForOthers(info)], arbitrary: acceptedChat(settings) };
  },
  cost: (chat, info) => ({ counterparts: [chatDraft(chat), ...counterpartsOf(chat, info)] }),
  send: async (chat, sender, info) => {
    const [counterpart] = await Promise.all(
      counterpartsOf(chat, info).map((draft) => sender.sendCounterpart(draft)),
    );
    // Who is away, or wants another max_tokens, is asked for nothing else.
    if (counterpart !== undefined && !isServed(counterpart, info)) return { exchanges: [], counterpart };
    return { exchanges: [await sender.sendCounterpart(chatDraft(chat))] };
  },
});

/** Of a chat for another model than the cheapest: the smallest one for it. */
function counterpartsOf({ model }: ChatBody, info: TargetInfo): readonly Draft[] {
  const smallest = smallestChat(info);
  return model === smallest.model ? [] : [chatDraft({ ...smallest, model })];
}

function isServed(exchange: Exchange, info: TargetInfo): boolean {
  return exchange.outcome.kind === 'answered' && dispositionOf(exchange, info) === 'served';
}

/** Where every completion counts, as few as let every two kinds of everything meet. */
function firstChats(settings: ChatSettings, thrifty: boolean): readonly ChatBody[] {
  if (thrifty) return thriftyPairwiseChats(settings);
  return distinct([...smokeChats(settings), ...pairwiseChats(settings)]);
}

/** Roles and options are the service's, not a model's: each of the others gets a chat with a stream, a system, a temperature. */
function chatsForOthers(info: TargetInfo): readonly ChatBody[] {
  const maxTokens = info.outputTokens;
  return otherModels(info).flatMap(({ id: model }) => smokeChats({ model, maxTokens }).slice(1));
}

function distinct(chats: readonly ChatBody[]): readonly ChatBody[] {
  return [...new Map(chats.map((chat) => [JSON.stringify(chat), chat])).values()];
}
