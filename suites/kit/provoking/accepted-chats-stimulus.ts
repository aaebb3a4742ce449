import {
  acceptedChat,
  smokeChats,
  pairwiseChats,
  thriftyPairwiseChats,
} from '../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, ChatSettings } from '../../../fixtures/chats/chat.ts';
import { chatDraft, chatSettings, smallestChat } from './chat-drafts.ts';
import type { Draft } from '../model/draft.ts';
import type { Exchange } from '../model/exchange.ts';
import { dispositionOf } from '../reading/errors/disposition.ts';
import { otherModels } from './listed-models.ts';
import { stimulus } from '../model/stimulus.ts';
import type { Survey } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';

/**
 * Chats that any faithful service serves (SVC-1, SVC-4), each one exchange, with and without `stream`. They are
 * the accepted twins of what must be refused, so an equal one is sent once in a run.
 */
export const acceptedChats = stimulus<Trial, ChatBody>({
  name: 'accepted-chats',
  stage: 'paid',
  few: 16,
  // Chosen together, so that every two kinds of everything meet; the first ones are twins, and sent in any case.
  steady: 16,
  inputs: (survey) => {
    const settings = chatSettings(survey);
    const first = firstChats(settings, survey.thrifty);
    return { first: [...first, ...chatsForOthers(survey)], drawn: acceptedChat(settings) };
  },
  cost: (chat, survey) => ({ twins: [chatDraft(chat), ...twinsOf(chat, survey)] }),
  send: async (chat, sender, survey) => {
    const [twin] = await Promise.all(twinsOf(chat, survey).map((draft) => sender.control(draft)));
    // Who is away, or wants another max_tokens, is asked for nothing else.
    if (twin !== undefined && !isServed(twin, survey)) return { exchanges: [], control: twin };
    return { exchanges: [await sender.control(chatDraft(chat))] };
  },
});

/** Of a chat for another model than the cheapest: the smallest one for it. */
function twinsOf({ model }: ChatBody, survey: Survey): readonly Draft[] {
  const smallest = smallestChat(survey);
  return model === smallest.model ? [] : [chatDraft({ ...smallest, model })];
}

function isServed(exchange: Exchange, survey: Survey): boolean {
  return exchange.outcome.kind === 'answered' && dispositionOf(exchange, survey) === 'served';
}

/** Where every completion counts, as few as let every two kinds of everything meet. */
function firstChats(settings: ChatSettings, thrifty: boolean): readonly ChatBody[] {
  if (thrifty) return thriftyPairwiseChats(settings);
  return distinct([...smokeChats(settings), ...pairwiseChats(settings)]);
}

/** Roles and options are the service's, not a model's: each of the others gets a chat with a stream, a system, a temperature. */
function chatsForOthers(survey: Survey): readonly ChatBody[] {
  const maxTokens = survey.outputTokens;
  return otherModels(survey).flatMap(({ id: model }) => smokeChats({ model, maxTokens }).slice(1));
}

function distinct(chats: readonly ChatBody[]): readonly ChatBody[] {
  return [...new Map(chats.map((chat) => [JSON.stringify(chat), chat])).values()];
}
