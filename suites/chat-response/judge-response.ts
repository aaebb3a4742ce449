import { notServed } from '../engine/inputs/judging/is-served.ts';
import type { Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { notExercised, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import {
  type ChoiceReading,
  type CompletionReading,
  readCompletion,
} from '../engine/reading/completions/read-completion.ts';
import { isEventStreamType } from '../engine/reading/streams/read-stream.ts';

/** Judges the normal response to an accepted chat; the reading is undefined when the body is not a JSON object. */
export function judgeResponse(
  judge: (reading: CompletionReading | undefined, info: TargetInfo, exchange: Exchange) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    if (sentChat(exchange.request)?.['stream'] === true) return notExercised('the request asks for a stream');
    const elsewhere = notServed(exchange, info);
    if (elsewhere) return elsewhere;
    const answer = answerOf(exchange);
    if (isEventStreamType(answer))
      return notExercised('the answer is an event stream, not a response: see REQ-7');
    return judge(readCompletion(answer, info), info, exchange);
  };
}

/** Judges a normal response that has choices; RES-1 judges that it has some. */
export function judgeChoices(
  judge: (choices: readonly ChoiceReading[], reading: CompletionReading, info: TargetInfo) => Ruling,
): Judgement {
  return judgeResponse((reading, info) => {
    const choices = reading?.choices ?? [];
    if (reading === undefined || choices.length === 0)
      return notExercised('the response has no choices: see RES-1');
    return judge(choices, reading, info);
  });
}
