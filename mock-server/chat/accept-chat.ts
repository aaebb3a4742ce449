import { isUtf8 } from 'node:buffer';
import type { Chosen } from '../answers/compile-answers.ts';
import type { ReceivedRequest } from '../protocol/answer.ts';
import { jsonIn } from '../protocol/json.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Caller } from '../world/caller.ts';
import type { Model, World } from '../world/world-schema.ts';
import { type ChatRequest, firstImage, type Message, validateChat } from './validate-chat.ts';

export interface AcceptedChat {
  readonly model: Model;
  readonly stream: boolean;
  readonly inputTokens: number;
  readonly allowedTokens: number;
  /** Absent: the model says its own words. */
  readonly chosen?: Chosen | undefined;
}

/** JSON, or no type at all. A body declared as a form or as plain text is not read as JSON. */
const JSON_TYPE = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/json)\s*(?:;|$)/i;

/** Checks body, JSON, fields, messages, model, images and tokens, in this order. Throws a ServiceError. */
export function acceptChat(
  { limits, choices }: World,
  caller: Caller,
  request: ReceivedRequest,
): { readonly sent: ChatRequest; readonly chat: AcceptedChat } {
  const body = acceptBody(request, limits.bodyBytes);
  const sent = parseJson(body, limits.jsonDepth);
  validateChat(sent, choices);
  const model = selectModel(caller, sent);
  const inputTokens = countInputTokens(sent.messages);
  const allowedTokens = allowTokens(model, inputTokens, sent, choices.request.maxTokensDefault);
  return { sent, chat: { model, stream: sent.stream === true, inputTokens, allowedTokens } };
}

function acceptBody({ body, contentType, contentEncoding }: ReceivedRequest, limit: number): Buffer {
  if (body === null) throw new ServiceError('body_too_large', { detail: `The limit is ${limit} bytes` });
  if (contentType !== undefined && !JSON_TYPE.test(contentType))
    throw new ServiceError('unsupported_media_type');
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity')
    throw new ServiceError('unsupported_media_type', { detail: 'Encoded bodies are not supported' });
  return body;
}

/**
 * Parses the JSON of a body. Of duplicate names the last wins. Refuses a byte order mark (RFC 8259).
 * Throws `invalid_encoding`, `json_too_deep` or `invalid_json`.
 */
export function parseJson(body: Buffer, depth: number): unknown {
  if (!isUtf8(body)) throw new ServiceError('invalid_encoding');
  const text = body.toString();
  if (isDeeper(text, depth))
    throw new ServiceError('json_too_deep', { detail: `The limit is ${depth} levels` });
  const value = jsonIn(text);
  // The parser's message quotes the body, which may contain a secret.
  if (value === undefined) throw new ServiceError('invalid_json');
  return value;
}

/** Whether arrays and objects are nested deeper than so many levels. Reads no further, where a parser would take long. */
function isDeeper(json: string, levels: number): boolean {
  let level = 0;
  let isText = false;
  for (let at = 0; at < json.length && level <= levels; at += 1) {
    const sign = json[at];
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') level += 1;
    else if (sign === ']' || sign === '}') level -= 1;
  }
  return level > levels;
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

export const BYTES_PER_TOKEN = 4;
/** The tokens of a message without its content. */
const TOKENS_PER_MESSAGE = 4;
/** The tokens of an image of any size. */
const TOKENS_PER_IMAGE = 256;

/** A text costs one token for every four bytes of UTF-8, rounded up. No tokenizer is loaded. */
export function countTextTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** The input tokens of a request: per message 4, per text its tokens, per image 256. */
export function countInputTokens(messages: readonly Message[]): number {
  let tokens = messages.length * TOKENS_PER_MESSAGE;
  for (const { content } of messages)
    for (const part of typeof content === 'string' ? [{ text: content }] : content)
      tokens += part.text === undefined ? TOKENS_PER_IMAGE : countTextTokens(part.text);
  return tokens;
}

/**
 * How many tokens the output may have: `max_tokens`, or the world's default as far as the context has room. Throws
 * `token_limit` if input and requested output together exceed the context (ERR-4, LIM-1).
 */
export function allowTokens(model: Model, input: number, chat: ChatRequest, byDefault: number): number {
  const room = model.contextTokens - input;
  const requested = chat.max_tokens ?? Math.min(byDefault, room);
  if (room >= 1 && requested <= room) return requested;
  throw new ServiceError('token_limit', {
    path: [room < 1 ? 'messages' : 'max_tokens'],
    detail: `The input has ${input} tokens, the context of the model ${model.contextTokens}`,
  });
}

/**
 * A chat with its chosen answer, whose usage is what is reserved and debited for. Throws `token_limit` where the chosen input
 * leaves no room for the output in the context of the model (LIM-1).
 */
export function withAnswer(chat: AcceptedChat, chosen: Chosen): AcceptedChat {
  const { input: inputTokens = chat.inputTokens, output: outputTokens = 0 } = chosen.usage ?? {};
  const { allowedTokens, model } = chat;
  if (chosen.unchecked === true) {
    const said = Math.max(outputTokens, countTextTokens(chosen.text ?? ''), chosen.tokens ?? 0);
    return { ...chat, chosen, inputTokens, allowedTokens: Math.max(allowedTokens, said) };
  }
  const room = model.contextTokens - inputTokens;
  // What only the context limited is limited by the chosen input too.
  const isFilled = chat.inputTokens + allowedTokens === model.contextTokens;
  const allowed = isFilled ? Math.min(allowedTokens, room) : allowedTokens;
  if (room >= 1 && allowed <= room) return { ...chat, chosen, inputTokens, allowedTokens: allowed };
  throw new ServiceError('token_limit', {
    path: ['messages'],
    detail: `The chosen answer counts ${inputTokens} tokens of input, the context of the model ${model.contextTokens}`,
  });
}
