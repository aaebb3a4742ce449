import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import type { Judgement } from '../kit/model/check.ts';
import { HOLDS, inconclusive, notExercised, violated } from '../kit/model/ruling.ts';
import { answerOf, isUnavailable } from '../kit/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import { readError } from '../kit/reading/errors/read-error.ts';
import { isPageOfFront } from './fronts.ts';

const EXPECTED = 'success or an error object';

/** Judges that a request is accepted, or refused with an error object (ERR-11), whose items ERR-1 judges. */
export const isServedOrRefusedProperly: Judgement = ({ exchanges: [exchange], counterpart }, info) => {
  if (exchange === undefined || counterpart === undefined) return notExercised('no request was sent');
  const unserved = counterpartNotAccepted(counterpart, info);
  if (unserved !== undefined) return unserved;
  const received = describeAnswer(exchange, info);
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served') return HOLDS;
  if (isUnavailable(answerOf(exchange)))
    return inconclusive(`the service says that it is unavailable: ${received}`);
  if (disposition === 'failed') return violated('failed', EXPECTED, received);
  if (disposition === 'unrecognised')
    return inconclusive(`neither a completion nor an error was recognised: ${received}`);
  if (readError(answerOf(exchange), info) !== undefined) return HOLDS;
  if (isPageOfFront(answerOf(exchange)))
    return inconclusive(`a page that may be a front's, see ERR-1: ${received}`);
  return violated('no-error-object', EXPECTED, `${received} without a JSON error object`);
};
