import { fewChats } from '../../../fixtures/accepted-chats.ts';
import type { ChatBody } from '../../../fixtures/chat.ts';
import { chatSettings } from './chat-settings.ts';
import type { Survey } from '../survey.ts';

/** The chat that costs least and that any faithful service serves: the control where nothing else will do. */
export function smallestChat(survey: Survey): ChatBody {
  return fewChats(chatSettings(survey))[0];
}
