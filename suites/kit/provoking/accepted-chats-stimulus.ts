import { acceptedChat, fewChats } from '../../../fixtures/accepted-chats.ts';
import { acceptedChatsFirst } from '../../../fixtures/accepted-chats-first.ts';
import type { ChatBody, ChatSettings } from '../../../fixtures/chat.ts';
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
  inputs: (survey) => {
    const settings = chatSettings(survey);
    return { first: firstChats(settings, survey.thrifty), drawn: acceptedChat(settings) };
  },
  cost: (chat) => ({ twins: [chatDraft(chat)] }),
  send: async (chat, sender) => ({ exchanges: [await sender.control(chatDraft(chat))] }),
});

function firstChats(settings: ChatSettings, thrifty: boolean): readonly ChatBody[] {
  const covering = acceptedChatsFirst(settings);
  if (!thrifty) return distinct([...fewChats(settings), ...covering]);
  // Nobody knows what a chat without max_tokens costs: one of each kind must do.
  const open = covering.filter((chat) => chat.max_tokens === undefined);
  const whole = open.find((chat) => chat.stream !== true);
  const streamed = open.find((chat) => chat.stream === true);
  const bounded = covering.filter((chat) => chat.max_tokens !== undefined);
  return distinct([
    ...fewChats(settings),
    ...[whole, streamed].filter((chat) => chat !== undefined),
    ...bounded,
  ]);
}

function distinct(chats: readonly ChatBody[]): readonly ChatBody[] {
  return [...new Map(chats.map((chat) => [JSON.stringify(chat), chat])).values()];
}
