import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { answerOf, isQuotaStatus } from '../kit/reading/answers.ts';
import type { Judgement } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import type { Answer } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { ClientTrial } from './client-trial.ts';

/**
 * Judges what the client made of an answer that is served without the client. `unseen` says why the client
 * cannot be expected to see anything in an answer whose shape is open.
 */
export function ofServedClient(
  judge: (seen: JsonValue, answer: Answer, survey: Survey) => Ruling,
  unseen: (answer: Answer, survey: Survey) => string | undefined = () => undefined,
): Judgement<ClientTrial> {
  return ({ exchanges: [exchange], control, sight }, survey) => {
    if (control === undefined) return notExercised('nothing was sent');
    const twin = counterpartNotAccepted(control, survey);
    if (twin) return twin;
    if (exchange === undefined) return violated('nothing-sent', 'a request', toldBy(sight));
    const came = describeAnswer(exchange, survey);
    if (isQuotaStatus(answerOf(exchange).status)) return inconclusive(`not for the request's sake: ${came}`);
    if (dispositionOf(exchange, survey) !== 'served') {
      return violated('refused', 'the answer that the same request gets without the client', came);
    }
    const why = unseen(answerOf(exchange), survey);
    if (why !== undefined) return notExercised(why);
    if (sight.kind === 'threw') return violated('threw', 'a value without an exception', toldBy(sight));
    return judge(sight.value, answerOf(exchange), survey);
  };
}

/** What the client's user would have read. */
export function toldBy(sight: ClientTrial['sight']): string {
  return sight.kind === 'threw'
    ? `${sight.name}: ${sight.message.slice(0, 200)}`
    : JSON.stringify(sight.value).slice(0, 200);
}
