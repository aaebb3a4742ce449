import { answerOf } from './answer-of.ts';
import type { Exchange } from '../model/exchange.ts';
import { readError } from './errors/read-error.ts';
import type { Survey } from '../model/target-info.ts';

/** An answer in a phrase for people: its status and, when it tells one, its error code. */
export function describeAnswer(exchange: Exchange, survey: Survey): string {
  const answer = answerOf(exchange);
  const code = answer.status >= 400 ? readError(answer, survey)?.code : undefined;
  const told = typeof code === 'object' ? `, code ${JSON.stringify(code.value).slice(0, 80)}` : '';
  return `status ${answer.status}${told}`;
}
