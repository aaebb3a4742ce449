import { allowTokens, countInputTokens } from './count-tokens.ts';
import type { Caller } from '../world/caller.ts';
import { type ChatRequest, validateChat } from './validate-chat.ts';
import { faultOfModel } from '../faults/requested-fault.ts';
import { availableModels } from '../endpoints/model-lists.ts';
import { parseJson } from './read-json.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { World, Model } from '../world/world.ts';
import type { Rule } from '../faults/rule.ts';
import { firstImage } from './validate-message.ts';

/** JSON, or nothing declared at all: what a form or plain text is declared as is not read as JSON. */
const JSON_TYPE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\s*(?:;|$)/i;

/** From bytes to an order that can be met: body, JSON, fields, messages, model, images, tokens, in this order. */
export function acceptChat(
  { limits, choices }: World,
  caller: Caller,
  request: ReceivedRequest,
): AcceptedChat {
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

function acceptBody({ body, contentType, contentEncoding }: ReceivedRequest, limit: number): Buffer {
  if (body === null) throw new ServiceError('body_too_large', { detail: `The limit is ${limit} bytes` });
  if (contentType !== undefined && !JSON_TYPE.test(contentType))
    throw new ServiceError('unsupported_media_type');
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', { detail: 'Encoded bodies are not read' });
  }
  return body;
}

/** What is to be completed, and how large it may become. */
export interface AcceptedChat {
  /** As the request has it: the completion says it again. */
  readonly modelId: string;
  readonly model: Model;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly allowedTokens: number;
  /** Null: the model ID is no reserved one that asks for a fault. */
  readonly fault: Rule | null;
}

/** In credits, for so many tokens of output. */
export function cost({ model, inputTokens }: AcceptedChat, outputTokens: number): number {
  return inputTokens * model.price.input + outputTokens * model.price.output;
}

/** Milliseconds that the model of an order takes for so many tokens of output. */
export function duration({ model }: AcceptedChat, outputTokens: number): number {
  return (model.latencyMs ?? 0) + (model.latencyPerTokenMs ?? 0) * outputTokens;
}

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
