import { fewChats } from '../../../fixtures/chats/accepted-chats.ts';
import type { ChatBody } from '../../../fixtures/chats/chat.ts';
import { chatSettings } from './chat-settings.ts';
import type { Survey } from '../model/target-info.ts';

/** How the answer to a chat is asked for. */
export type Form = 'whole' | 'streamed';

/** The chat that costs least and that any faithful service serves: the control where nothing else will do. */
export function smallestChat(survey: Survey, form: Form = 'whole'): ChatBody {
  const [chat] = fewChats(chatSettings(survey));
  return form === 'whole' ? chat : { ...chat, stream: true };
}
