import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import { answerOf } from '../reading/answer-of.ts';
import { describeAnswer } from '../reading/describe-answer.ts';
import { dispositionOf } from '../reading/disposition.ts';
import type { Exchange } from '../model/exchange.ts';
import { observedPlace } from './observed-place.ts';
import { readError } from '../reading/errors/read-error.ts';
import { notExercised, observed, type Ruling } from '../model/ruling.ts';
import type { Survey } from '../model/target-info.ts';

/** What an error can be about, as far as the names of open points tell it: `error.status.…`, `error.code.…`. */
export type Condition =
  Extract<OpenPointName, `error.status.${string}`> extends `error.status.${infer C}` ? C : never;

/** Observes which status and which code a condition has; not exercised when it was not refused at all. */
export function observedRefusal(condition: Condition, exchange: Exchange, survey: Survey): Ruling {
  if (dispositionOf(exchange, survey) !== 'refused') {
    return notExercised(`it was not refused: ${describeAnswer(exchange, survey)}`);
  }
  const answer = answerOf(exchange);
  const code = readError(answer, survey)?.code;
  return observed(
    { point: `error.status.${condition}`, value: answer.status },
    ...observedPlace(
      `error.code.${condition}`,
      typeof code === 'object' ? code.value : undefined,
      survey.profile,
    ),
  );
}
