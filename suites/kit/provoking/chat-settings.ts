import type { ChatSettings } from '../../../fixtures/chats/chat.ts';
import type { Survey } from '../model/target-info.ts';

/** What this run makes its chats for: the cheapest model, and as much output as it may ask for. */
export function chatSettings(survey: Survey): ChatSettings {
  return { model: survey.models[0].id, maxTokens: survey.outputTokens };
}
