import { allowTokens } from './allow-tokens.ts';
import type { Caller } from './caller.ts';
import { countInputTokens } from './count-tokens.ts';
import type { Order } from './order.ts';
import { parseJson } from './parse-json.ts';
import type { Received } from './received.ts';
import { selectModel } from './select-model.ts';
import { ServiceError } from './service-error.ts';
import { validateChat } from './validate-chat.ts';
import type { World } from './world.ts';

/** JSON, or nothing declared at all: what a form or plain text is declared as is not read as JSON. */
const JSON_TYPE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\s*(?:;|$)/i;

/** From bytes to an order that can be met: body, JSON, fields, messages, model, images, tokens, in this order. */
export function readOrder({ limits, choices }: World, caller: Caller, request: Received): Order {
  const body = acceptBody(request, limits.bodyBytes);
  const chat = validateChat(parseJson(body, limits.jsonDepth), choices);
  const model = selectModel(caller, chat);
  const inputTokens = countInputTokens(chat.messages);
  const allowedTokens = allowTokens(model, inputTokens, chat, choices.request);
  return { model, stream: chat.stream === true, inputTokens, allowedTokens };
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
