import type { Answer } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import type { UsageReading } from '../completions/find-usage.ts';
import { readCompletion } from '../completions/read-completion.ts';
import type { ItemReading } from '../locate.ts';
import { readStream } from './read-stream.ts';

/** What was generated, and what is said of it. */
export interface ResultReading {
  /** Of each choice, or of the stream; none where none was recognised. */
  readonly texts: readonly string[];
  /** Of the first choice. */
  readonly finishReason: ItemReading;
  readonly usage: UsageReading;
}

/** Reads a completion, whole or streamed. */
export function readResult(answer: Answer, info: TargetInfo): ResultReading {
  const whole = readCompletion(answer, info);
  if (whole === undefined) {
    const { text, ...said } = readStream(answer, info);
    return { ...said, texts: text === undefined ? [] : [text.text] };
  }
  const { choices = [], usage } = whole;
  return {
    texts: choices.flatMap(({ text }) => text ?? []),
    finishReason: choices[0]?.finishReason ?? 'absent',
    usage,
  };
}
