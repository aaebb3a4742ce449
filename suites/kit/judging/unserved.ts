import { answerOf } from '../reading/answer-of.ts';
import { dispositionOf } from '../reading/disposition.ts';
import { isSuccess } from '../reading/is-success.ts';
import type { Exchange } from '../model/exchange.ts';
import { inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import type { Survey } from '../model/target-info.ts';

/**
 * The ruling on a chat that brought nothing which could be a completion, so that whoever judges completions
 * leaves it to those who judge refusals; undefined when there is something to judge.
 */
export function unserved(exchange: Exchange, survey: Survey): Ruling | undefined {
  const answer = answerOf(exchange);
  const { status } = answer;
  const disposition = dispositionOf(exchange, survey);
  if (disposition === 'refused') return notExercised(`the chat was refused: status ${status}`);
  if (disposition === 'failed') return inconclusive(`the service failed: status ${status}`);
  if (!isSuccess(answer)) return inconclusive(`neither served nor refused: status ${status}`);
  return undefined;
}
