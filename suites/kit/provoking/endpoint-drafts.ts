import { ENDPOINTS } from '../../../fixtures/wire.ts';
import { chatDraft } from './chat-draft.ts';
import type { Draft } from '../draft.ts';
import { smallestChat } from './smallest-chat.ts';
import type { Survey } from '../survey.ts';

/** One proper request to each of the three endpoints. */
export function endpointDrafts(survey: Survey): readonly Draft[] {
  return [
    chatDraft(smallestChat(survey)),
    { method: 'GET', path: ENDPOINTS.models },
    { method: 'GET', path: ENDPOINTS.vision },
  ];
}
