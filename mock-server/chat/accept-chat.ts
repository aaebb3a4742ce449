import { isUtf8 } from 'node:buffer';
import type { Chosen } from '../answers/compile-answers.ts';
import type { ReceivedRequest } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { availableModels, type Caller } from '../world/caller.ts';
import type { Model, World } from '../world/world-schema.ts';
import { allowTokens, countInputTokens } from './count-tokens.ts';
import { type ChatRequest, firstImage, validateChat } from './validate-chat.ts';

/** A valid chat, its model, and the size that its completion may have. */
export interface AcceptedChat {
  /** As in the request: the completion repeats it. */
  readonly modelId: string;
  readonly model: Model;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly allowedTokens: number;
  /** Absent: the model says its own words. */
  readonly chosen?: Chosen | undefined;
}

/** JSON, or no type at all. A body declared as a form or as plain text is not read as JSON. */
const JSON_TYPE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\s*(?:;|$)/i;

/**
 * Checks body, JSON, fields, messages, model, images and tokens, in this order. Throws a ServiceError. `asksForFault`: whether
 * a model ID is a reserved one, which stands for the first model that the key can use.
 */
export function acceptChat(
  { limits, choices }: World,
  caller: Caller,
  request: ReceivedRequest,
  asksForFault: (modelId: string) => boolean = () => false,
): { readonly sent: ChatRequest; readonly chat: AcceptedChat } {
  const body = acceptBody(request, limits.bodyBytes);
  const sent = validateChat(parseJson(body, limits.jsonDepth), choices);
  const [usable] = asksForFault(sent.model) ? availableModels(caller) : [];
  const model = selectModel(caller, usable === undefined ? sent : { ...sent, model: usable.id });
  // The world's own string: that of the request would be kept once for each Idempotency-Key.
  const modelId = model.id === sent.model ? model.id : sent.model;
  const inputTokens = countInputTokens(sent.messages);
  const allowedTokens = allowTokens(model, inputTokens, sent, choices.request);
  return { sent, chat: { modelId, model, stream: sent.stream === true, inputTokens, allowedTokens } };
}

function acceptBody({ body, contentType, contentEncoding }: ReceivedRequest, limit: number): Buffer {
  if (body === null) throw new ServiceError('body_too_large', { detail: `The limit is ${limit} bytes` });
  if (contentType !== undefined && !JSON_TYPE.test(contentType))
    throw new ServiceError('unsupported_media_type');
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type', { detail: 'Encoded bodies are not supported' });
  }
  return body;
}

/**
 * Parses the JSON of a body. Of duplicate names the last wins. Refuses a byte order mark (RFC 8259).
 * Throws `invalid_encoding`, `invalid_json` or `json_too_deep`.
 */
export function parseJson(body: Buffer, depth: number): unknown {
  if (!isUtf8(body)) throw new ServiceError('invalid_encoding');
  const value = parse(body.toString());
  if (!isDeeper(value, depth)) return value;
  throw new ServiceError('json_too_deep', { detail: `The limit is ${depth} levels` });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, which may contain a secret.
    throw new ServiceError('invalid_json');
  }
}

/** Whether arrays and objects are nested deeper than so many levels. Looks no deeper itself. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/**
 * The model that a request names. A model of other keys gets the same answer as one that does not exist (SVC-7, MOD-2).
 * Throws `unknown_model`, `model_unavailable`, or `image_not_allowed` (MSG-4).
 */
export function selectModel(caller: Caller, chat: ChatRequest): Model {
  const model = caller.models.get(chat.model);
  if (model === undefined) throw new ServiceError('unknown_model', { path: ['model'] });
  if (model.available === false) throw new ServiceError('model_unavailable', { path: ['model'] });
  const image = model.vision === true ? undefined : firstImage(chat.messages);
  if (image !== undefined) throw new ServiceError('image_not_allowed', { path: image });
  return model;
}

/** In credits. */
export function cost({ model, inputTokens }: AcceptedChat, outputTokens: number): number {
  return inputTokens * model.price.input + outputTokens * model.price.output;
}

/** In milliseconds. */
export function generationMs({ model }: AcceptedChat, outputTokens: number): number {
  return (model.latencyMs ?? 0) + (model.latencyPerTokenMs ?? 0) * outputTokens;
}
