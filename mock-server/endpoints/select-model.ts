import type { Caller } from '../world/caller.ts';
import type { ChatRequest } from '../chat/chat-request.ts';
import { firstImage } from '../chat/image-part.ts';
import { ServiceError } from './service-error.ts';
import type { Model } from '../world/world.ts';

/**
 * The model that a request names. One that exists for other keys only gets the same answer as one that does not
 * exist (SVC-7, MOD-2). Throws `unknown_model`, `model_unavailable`, or `image_not_allowed` (MSG-4).
 */
export function selectModel(caller: Caller, chat: ChatRequest): Model {
  const model = caller.models.get(chat.model);
  if (model === undefined) throw new ServiceError('unknown_model', { path: ['model'] });
  if (model.available === false) throw new ServiceError('model_unavailable', { path: ['model'] });
  const image = model.vision === true ? undefined : firstImage(chat.messages);
  if (image !== undefined) throw new ServiceError('image_not_allowed', { path: image });
  return model;
}
