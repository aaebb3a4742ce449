import type { Exchange } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isQuotaStatus } from '../engine/reading/answers.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { wasRefused, wasServed } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';

/** An input that was served. */
export interface ServedInput {
  /** Of its text; 0 for the smallest chat. */
  readonly bytes: number;
  /** As its usage reports them. */
  readonly tokens?: number;
}

/** An input whose tokens are known. */
export type CountedInput = Required<ServedInput>;

/** Bytes of the texts of this folder in one token, at most: in any tokenizer, and where usage may also count words. */
const MOST_BYTES = { tokens: 8, perhaps: 4.5 } as const;

/** How much more tokens count as more, when the text is twice as long or longer. */
const NO_MORE = 1.05;

/** Reads what a chat with so many bytes of text was served as; undefined where it was not served. */
export function servedInput(bytes: number, exchange: Exchange, info: TargetInfo): ServedInput | undefined {
  if (!wasServed(exchange, info)) return undefined;
  const usage = readCompletion(answerOf(exchange), info)?.usage;
  const count = typeof usage === 'object' ? usage.input : undefined;
  if (count === undefined) return { bytes };
  return { bytes, ...((count.inTokens || isLikeTokens(bytes, count.value)) && { tokens: count.value }) };
}

function isLikeTokens(bytes: number, count: number): boolean {
  return bytes === 0 || (count <= bytes && count * MOST_BYTES.perhaps >= bytes);
}

/** Whether so few bytes a token are possible. */
export function isWholeCount({ bytes, tokens }: CountedInput): boolean {
  return tokens <= bytes && tokens * MOST_BYTES.tokens >= bytes;
}

/** The last two inputs where the larger one has no more tokens, though both have more than the first: it was cut. */
export function cutInput(served: readonly ServedInput[]): readonly [CountedInput, CountedInput] | undefined {
  const counted = served.flatMap(({ bytes, tokens }) => (tokens === undefined ? [] : [{ bytes, tokens }]));
  const [least] = counted;
  const [before, cut] = counted.slice(-2);
  if (least === undefined || before === undefined || cut === undefined || before === least) return undefined;
  const isSame = cut.tokens <= before.tokens * NO_MORE && before.tokens <= cut.tokens * NO_MORE;
  return isSame && before.tokens > least.tokens * NO_MORE ? [before, cut] : undefined;
}

/** Whether a chat was refused with an error object, and not for want of credit or for its rate. */
export function isRefusedInput(exchange: Exchange, info: TargetInfo): boolean {
  if (!wasRefused(exchange, info)) return false;
  const answer = answerOf(exchange);
  return !isQuotaStatus(answer.status) && readError(answer, info) !== undefined;
}
