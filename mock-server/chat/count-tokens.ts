import { ServiceError } from '../protocol/service-error.ts';
import type { Model, Choices } from '../world/world-schema.ts';
import type { Message, ChatRequest } from './validate-chat.ts';

/** UTF-8 bytes of text in one token. */
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
  let tokens = 0;
  for (const { content } of messages) tokens += TOKENS_PER_MESSAGE + countContent(content);
  return tokens;
}

function countContent(content: Message['content']): number {
  if (typeof content === 'string') return countTextTokens(content);
  let tokens = 0;
  for (const part of content) tokens += part.type === 'text' ? countTextTokens(part.text) : TOKENS_PER_IMAGE;
  return tokens;
}

/**
 * How many tokens the output may have: `max_tokens`, or the world's default as far as the context has room. Throws
 * `token_limit` if input and requested output together exceed the context (ERR-4, LIM-1).
 */
export function allowTokens(
  model: Model,
  input: number,
  chat: ChatRequest,
  choices: Choices['request'],
): number {
  const room = model.contextTokens - input;
  const requested = chat.max_tokens ?? Math.min(choices.maxTokensDefault, room);
  if (room >= 1 && requested <= room) return requested;
  throw new ServiceError('token_limit', {
    path: [room < 1 ? 'messages' : 'max_tokens'],
    detail: `The input has ${input} tokens, the context of the model ${model.contextTokens}`,
  });
}
