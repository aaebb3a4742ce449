import { check } from '../kit/model/check.ts';
import type { Answer, Exchange } from '../kit/model/exchange.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import { readStream } from '../kit/reading/streams/read-stream.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { armedLosses, ofArmedLoss } from './armed-losses.ts';

/** The body may be anything, JSON or not (ERR-7): only what claims to be a completion is wrong. */
export const gatewayFailureIsNoSuccess = check({
  id: 'gateway-failure-is-no-success',
  clauses: ['ERR-7'],
  title: 'never presents a gateway failure as a completion, and serves again afterwards',
  given: armedLosses,
  ...ofArmedLoss((exchange, { fault }, survey) =>
    fault === 'gateway_failure'
      ? isNoSuccess(exchange, survey)
      : notExercised('the armed fault is not a gateway failure'),
  ),
});

function isNoSuccess(exchange: Exchange, survey: Survey): Ruling {
  const { outcome } = exchange;
  if (outcome.kind === 'answered') return isNoCompletion(exchange, survey);
  if (outcome.kind === 'uncertain' && (outcome.answer?.status ?? 0) >= 400) return HOLDS;
  return inconclusive(`the answer was incomplete: ${outcome.reason}`);
}

function isNoCompletion(exchange: Exchange, survey: Survey): Ruling {
  const came = describeAnswer(exchange, survey);
  const disposition = dispositionOf(exchange, survey);
  if (disposition === 'served' && !isUnfinishedStream(answerOf(exchange), survey))
    return violated('served', 'a failure', `a completion (${came})`);
  if (disposition === 'served' || disposition === 'unrecognised')
    return inconclusive(`neither a completion nor an error was recognised: ${came}`);
  return HOLDS;
}

/** A stream that was begun before the gateway failed claims nothing until it has text, and says why that ends. */
function isUnfinishedStream(answer: Answer, survey: Survey): boolean {
  if (!isEventStream(answer)) return false;
  const { text, finishReason } = readStream(answer, survey);
  return (text?.text ?? '') === '' || typeof finishReason === 'string';
}
