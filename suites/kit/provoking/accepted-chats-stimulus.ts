import { acceptedChat, fewChats } from '../../../fixtures/accepted-chats.ts';
import { acceptedChatsFirst } from '../../../fixtures/accepted-chats-first.ts';
import type { ChatBody, ChatSettings } from '../../../fixtures/chat.ts';
import { fewAcceptedChats } from '../../../fixtures/few-accepted-chats.ts';
import { chatDraft } from './chat-draft.ts';
import { chatSettings } from './chat-settings.ts';
import { stimulus } from '../stimulus.ts';
import type { Trial } from '../trial.ts';

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
    return { first: firstChats(settings, survey.thrifty), drawn: acceptedChat(settings) };
  },
  cost: (chat) => ({ twins: [chatDraft(chat)] }),
  send: async (chat, sender) => ({ exchanges: [await sender.control(chatDraft(chat))] }),
});

/** Where every completion counts, as few as let every two kinds of everything meet. */
function firstChats(settings: ChatSettings, thrifty: boolean): readonly ChatBody[] {
  if (thrifty) return fewAcceptedChats(settings);
  return distinct([...fewChats(settings), ...acceptedChatsFirst(settings)]);
}

function distinct(chats: readonly ChatBody[]): readonly ChatBody[] {
  return [...new Map(chats.map((chat) => [JSON.stringify(chat), chat])).values()];
}
