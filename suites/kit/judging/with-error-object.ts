import { answerOf } from '../reading/answer-of.ts';
import { describeAnswer } from '../reading/describe-answer.ts';
import { isEventStream } from '../reading/disposition.ts';
import { readError } from '../reading/errors/read-error.ts';
import { sentChat } from '../reading/sent-chat.ts';
import { notExercised, type Ruling, violated } from '../model/ruling.ts';
import type { Survey } from '../model/target-info.ts';
import type { Trial } from '../model/trial.ts';

/** A ruling that the first exchange was refused, upheld only where the refusal holds an error object. */
export function withErrorObject(ruling: Ruling, { exchanges: [exchange] }: Trial, survey: Survey): Ruling {
  if (ruling.kind !== 'holds' || exchange === undefined) return ruling;
  const answer = answerOf(exchange);
  if (readError(answer, survey) !== undefined) return ruling;
  if (sentChat(exchange.request)?.['stream'] === true && isEventStream(answer))
    return notExercised('the refusal came as an event stream: see STR-4');
  return violated('no-error-object', 'an error object', `none: ${describeAnswer(exchange, survey)}`);
}
