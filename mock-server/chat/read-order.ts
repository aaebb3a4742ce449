import { allowTokens } from './allow-tokens.ts';
import type { Caller } from '../world/caller.ts';
import type { ChatRequest } from './chat-request.ts';
import { countInputTokens } from './count-tokens.ts';
import { faultOfModel } from '../faults/requested-fault.ts';
import { availableModels } from '../endpoints/list-models.ts';
import type { Order } from './order.ts';
import { parseJson } from '../http/parse-json.ts';
import type { Received } from '../http/received.ts';
import { selectModel } from '../endpoints/select-model.ts';
import { ServiceError } from '../endpoints/service-error.ts';
import { validateChat } from './validate-chat.ts';
import type { World } from '../world/world.ts';

/** JSON, or nothing declared at all: what a form or plain text is declared as is not read as JSON. */
const JSON_TYPE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\s*(?:;|$)/i;

/** From bytes to an order that can be met: body, JSON, fields, messages, model, images, tokens, in this order. */
export function readOrder({ limits, choices }: World, caller: Caller, request: Received): Order {
  const body = acceptBody(request, limits.bodyBytes);
  const chat = validateChat(parseJson(body, limits.jsonDepth), choices);
  const fault = choices.faults.models === 'allow' ? faultOfModel(chat.model) : null;
  const model = selectModel(caller, fault === null ? chat : standingIn(caller, chat));
  const inputTokens = countInputTokens(chat.messages);
  const allowedTokens = allowTokens(model, inputTokens, chat, choices.request);
  const stream = chat.stream === true;
  return { modelId: chat.model, model, stream, inputTokens, allowedTokens, fault };
}

/** A reserved model ID stands for the first model that the key can call. */
function standingIn(caller: Caller, chat: ChatRequest): ChatRequest {
  const [model] = availableModels(caller);
  return model === undefined ? chat : { ...chat, model: model.id };
}

function acceptBody({ body, contentType, contentEncoding }: Received, limit: number): Buffer {
  if (body === null) throw new ServiceError('body_too_large', { detail: `The limit is ${limit} bytes` });
  if (contentType !== undefined && !JSON_TYPE.test(contentType))
    throw new ServiceError('unsupported_media_type');
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', { detail: 'Encoded bodies are not read' });
  }
  return body;
}
