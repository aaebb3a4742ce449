import type { ChatRequest } from './chat-request.ts';
import { ServiceError } from '../endpoints/service-error.ts';
import type { Model } from '../world/world.ts';
import type { RequestChoices } from '../world/world-choices.ts';

/**
 * How many tokens the output may have: `max_tokens`, or else the world's default as far as the context has room.
 * Throws `token_limit` where input and requested output together exceed the context (ERR-4, LIM-1).
 */
export function allowTokens(model: Model, input: number, chat: ChatRequest, choices: RequestChoices): number {
  const room = model.contextTokens - input;
  const requested = chat.max_tokens ?? Math.min(choices.maxTokensDefault, room);
  if (room >= 1 && requested <= room) return requested;
  throw new ServiceError('token_limit', {
    path: [room < 1 ? 'messages' : 'max_tokens'],
    detail: `The input has ${input} tokens, the context of the model ${model.contextTokens}`,
  });
}
