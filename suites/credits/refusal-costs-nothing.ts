import { check } from '../kit/model/check.ts';
import type { WorkspaceRequest } from '../kit/model/deployment.ts';
import { describeWorkspaceRequests } from '../kit/control/show-records.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { type BalanceChange, moreHeldIn, spentIn } from './balance-change.ts';
import { refusedChats } from './refused-chats-stimulus.ts';

export const refusalCostsNothing = check({
  id: 'refusal-costs-nothing',
  clauses: ['LIM-4'],
  title: 'debits nothing for a request it refuses, and sets nothing aside for it',
  because: 'credits are consumed by requests that succeed',
  given: refusedChats,
  holds: ({ exchanges: [exchange], control, records, change }, survey) => {
    if (exchange === undefined || control === undefined) return notExercised('nothing was sent');
    return (
      counterpartNotAccepted(control, survey) ??
      unrefused(exchange, survey) ??
      wrongRecord(records) ??
      wrongBalance(change) ??
      HOLDS
    );
  },
});

function unrefused(exchange: Exchange, survey: Survey): Ruling | undefined {
  const disposition = dispositionOf(exchange, survey);
  if (disposition === 'refused') return undefined;
  const came = describeAnswer(exchange, survey);
  return disposition === 'served'
    ? notExercised(`it was served: ${came}`)
    : inconclusive(`no refusal: ${came}`);
}

function wrongRecord(records: readonly WorkspaceRequest[]): Ruling | undefined {
  const came = describeWorkspaceRequests(records);
  if (records.some(({ debit }) => debit !== null && debit !== 0))
    return violated('debited', 'no debit', came);
  const isHeld = records.some(
    ({ reservation }) => reservation?.state === 'held' || reservation?.state === 'under_review',
  );
  return isHeld ? violated('still-held', 'nothing set aside', came) : undefined;
}

function wrongBalance(change: BalanceChange): Ruling | undefined {
  const [spent, more] = [spentIn(change), moreHeldIn(change)];
  if (spent > 0) return violated('balance', 'the balance as it was', `one lower by ${spent}`);
  return more > 0 ? violated('still-held', 'nothing set aside', `${more} credits`) : undefined;
}
