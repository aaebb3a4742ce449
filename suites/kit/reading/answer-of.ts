import type { Answer, Exchange } from '../model/exchange.ts';

/**
 * The answer of an exchange that has one. The engine rules trials with an unsent or an uncertain exchange
 * before any judgement sees them: throws a TypeError otherwise, which is a bug of ours.
 */
export function answerOf(exchange: Exchange): Answer {
  if (exchange.outcome.kind === 'answered') return exchange.outcome.answer;
  throw new TypeError(`exchange ${exchange.id} has no answer to judge: ${exchange.outcome.reason}`);
}
