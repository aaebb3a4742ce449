import { BYTES_PER_TOKEN } from './count-tokens.ts';
import { createDraw } from '../time/draw.ts';
import { SENTENCES } from './sentences.ts';
import { isContinuation, toUtf8 } from '../http/utf8.ts';

export interface Generation {
  /** In UTF-8. */
  readonly text: string;
  /** By the one counting rule; never more than was allowed (REQ-9). */
  readonly tokens: number;
  /** `stop`: the text ended. `length`: it was cut at the tokens allowed (RES-3). */
  readonly finishReason: 'stop' | 'length';
}

const UTF8_SENTENCES = SENTENCES.map(toUtf8);
const NATURAL_TOKENS_MINIMUM = 8;
const NATURAL_TOKENS_SPREAD = 32;

/**
 * A text drawn from a 32-bit word: whole sentences up to a drawn length, of some 8 to 60 tokens, cut at the tokens
 * allowed. The same word and the same allowance give the same text.
 */
export function generate(word: number, allowedTokens: number): Generation {
  const natural = write(word);
  const text = cutToBytes(natural, allowedTokens * BYTES_PER_TOKEN);
  const finishReason = text === natural ? 'stop' : 'length';
  return { text, tokens: Math.ceil(text.length / BYTES_PER_TOKEN), finishReason };
}

function write(word: number): string {
  const draw = createDraw(word);
  const enough = (NATURAL_TOKENS_MINIMUM + draw(NATURAL_TOKENS_SPREAD)) * BYTES_PER_TOKEN;
  let text = sentence(draw);
  while (text.length < enough) text += ` ${sentence(draw)}`;
  return text;
}

function sentence(draw: (n: number) => number): string {
  return UTF8_SENTENCES[draw(UTF8_SENTENCES.length)] ?? '';
}

/** The longest beginning of at most so many bytes that splits no character. */
function cutToBytes(utf8: string, bytes: number): string {
  if (utf8.length <= bytes) return utf8;
  let end = bytes;
  while (isContinuation(utf8, end)) end -= 1;
  return utf8.slice(0, end);
}
