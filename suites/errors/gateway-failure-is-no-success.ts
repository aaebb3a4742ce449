import { check } from '../engine/model/check.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import {
  describeAnswer,
  describeSuccess,
  dispositionOf,
  isEventStream,
} from '../engine/reading/errors/disposition.ts';
import { readStream } from '../engine/reading/streams/read-stream.ts';
import { armedLosses, judgeArmedLoss } from './armed-losses.ts';

/** The body may be JSON or not (ERR-7): only a body that looks like a completion is wrong. */
export const gatewayFailureIsNoSuccess = check({
  id: 'gateway-failure-is-no-success',
  clauses: ['ERR-7'],
  title: 'never presents a gateway failure as a completion, and serves again afterwards',
  given: armedLosses,
  ...judgeArmedLoss((exchange, { fault }, info) =>
    fault === 'gateway_failure'
      ? isNoSuccess(exchange, info)
      : notExercised('the armed fault is not a gateway failure'),
  ),
});

function isNoSuccess(exchange: Exchange, info: TargetInfo): Ruling {
  const { outcome } = exchange;
  if (outcome.kind === 'answered') return isNoCompletion(exchange, info);
  if (outcome.kind === 'uncertain' && (outcome.answer?.status ?? 0) >= 400) return HOLDS;
  return inconclusive(`the answer was incomplete: ${outcome.reason}`);
}

function isNoCompletion(exchange: Exchange, info: TargetInfo): Ruling {
  const received = describeAnswer(exchange, info);
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served' && !isUnfinishedStream(answerOf(exchange), info))
    return violated('served', 'a failure, because a gateway failure was armed', describeSuccess(exchange));
  if (disposition === 'served' || disposition === 'unrecognised')
    return inconclusive(`neither a completion nor an error was recognised: ${received}`);
  return HOLDS;
}

/** A stream that began before the gateway failed is no completion until it has text and a finish reason. */
function isUnfinishedStream(answer: Answer, info: TargetInfo): boolean {
  if (!isEventStream(answer)) return false;
  const { text, finishReason } = readStream(answer, info);
  return (text?.text ?? '') === '' || typeof finishReason === 'string';
}
