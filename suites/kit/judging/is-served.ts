import { answerOf } from '../reading/answer-of.ts';
import { describeAnswer } from '../reading/describe-answer.ts';
import { dispositionOf } from '../reading/disposition.ts';
import { isForOtherReasons } from '../reading/for-other-reasons.ts';
import type { Exchange } from '../model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated } from '../model/ruling.ts';
import type { Survey } from '../model/target-info.ts';

/** Judges one request that any faithful service serves. */
export function isServed(exchange: Exchange, survey: Survey): Ruling {
  const came = describeAnswer(exchange, survey);
  const disposition = dispositionOf(exchange, survey);
  if (disposition === 'served') return HOLDS;
  const { status } = answerOf(exchange);
  if (isForOtherReasons(status)) return inconclusive(`not for the request's sake: ${came}`);
  if (status >= 300 && status < 400) return violated('redirected', 'a completion', came);
  if (disposition === 'unrecognised') return inconclusive(`no completion was recognised: ${came}`);
  return violated(disposition, 'a completion', came);
}
