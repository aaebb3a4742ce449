import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import { chatDraft } from './chat-draft.ts';
import type { Draft } from '../model/draft.ts';
import { smallestChat } from './smallest-chat.ts';
import type { Survey } from '../model/target-info.ts';

/** One proper request to each of the three endpoints. */
export function endpointDrafts(survey: Survey): readonly Draft[] {
  return [
    chatDraft(smallestChat(survey)),
    { method: 'GET', path: ENDPOINTS.models },
    { method: 'GET', path: ENDPOINTS.vision },
  ];
}
