import type { Message } from './chat-request.ts';

/** UTF-8 bytes of text that make one token. */
export const BYTES_PER_TOKEN = 4;
/** What a message costs beside its content. */
const TOKENS_PER_MESSAGE = 4;
/** What an image costs, whatever its size. */
const TOKENS_PER_IMAGE = 256;

/** The counting rule: a text costs a token for every four bytes of UTF-8 begun. No tokenizer is loaded. */
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
