import type { Answer, Exchange } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isSuccess } from '../engine/reading/answers.ts';
import { countsTokens, type UsageReading } from '../engine/reading/completions/find-usage.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { isEventStreamType, readStream } from '../engine/reading/streams/read-stream.ts';

/** What an answer says was generated, whole or streamed. */
export interface Generated {
  /** Of all choices; undefined where none was recognised. */
  readonly text: string | undefined;
  /** Output tokens; undefined where none are recognised. */
  readonly tokens: number | undefined;
}

export function generatedIn(answer: Answer, info: TargetInfo): Generated {
  if (isEventStreamType(answer)) {
    const { text, usage } = readStream(answer, info);
    return { text: text?.text, tokens: tokensIn(usage, info) };
  }
  const completion = readCompletion(answer, info);
  const texts = (completion?.choices ?? []).flatMap(({ text }) => text ?? []);
  const tokens = completion === undefined ? undefined : tokensIn(completion.usage, info);
  return { text: texts.length === 0 ? undefined : texts.join(''), tokens };
}

function tokensIn(usage: UsageReading, { profile }: TargetInfo): number | undefined {
  const output = typeof usage === 'string' ? undefined : usage.output;
  return output && countsTokens(output, 'response.usage.output', profile) ? output.value : undefined;
}

/** Whether the text of an answer is empty although tokens are reported for it. */
export function isSilent(exchange: Exchange, info: TargetInfo): boolean {
  const answer = answerOf(exchange);
  if (!isSuccess(answer)) return false;
  const { text, tokens = 0 } = generatedIn(answer, info);
  return text === '' && tokens > 0;
}
