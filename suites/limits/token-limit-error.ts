import { answerOf } from '../kit/reading/answer-of.ts';
import type { Judgement } from '../kit/check.ts';
import { describeAnswer } from '../kit/reading/describe-answer.ts';
import { refusedUnlikeControl } from '../kit/judging/is-refused.ts';
import { readError } from '../kit/reading/read-error.ts';
import { violated } from '../kit/ruling.ts';

/** Judges a chat that is too large beside an accepted one that is not: it is refused with an error object. */
export function isTokenLimitError(why: string): Judgement {
  return (trial, survey) => {
    const ruling = refusedUnlikeControl(trial, survey, why);
    const [exchange] = trial.exchanges;
    // Which code and words a token limit error has is not shown (ERR-9).
    if (ruling.kind !== 'holds' || exchange === undefined) return ruling;
    if (readError(answerOf(exchange), survey) !== undefined) return ruling;
    return violated('no-error-object', 'an error object', `none: ${describeAnswer(exchange, survey)}`);
  };
}
