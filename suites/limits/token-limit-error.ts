import type { Judgement } from '../kit/model/check.ts';
import { refusedUnlikeCounterpart, requireErrorObject } from '../kit/judging/is-refused.ts';

/**
 * Judges a chat that is too large beside an accepted one that is not: it is refused with an error object. Which
 * code and words a token limit error has is not shown (ERR-9).
 */
export function isTokenLimitError(why: string): Judgement {
  return (trial, survey) => requireErrorObject(refusedUnlikeCounterpart(trial, survey, why), trial, survey);
}
