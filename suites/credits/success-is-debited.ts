import { describeUnseen, describeWorkspaceRequests } from '../engine/control/read-workspace.ts';
import { notServed } from '../engine/inputs/judging/is-served.ts';
import { check } from '../engine/model/check.ts';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import { HOLDS, inconclusive, type Ruling, violated } from '../engine/model/ruling.ts';
import { type BalanceChange, moreHeldIn, spentIn, chargedChats } from './charged-chats-stimulus.ts';

/** A reservation is optional (LIM-3); a debit is not. */
export const successIsDebited = check({
  id: 'success-is-debited',
  clauses: ['LIM-3'],
  title: 'debits every completion once, consumes its reservation, and lowers the balance by the debit',
  given: chargedChats,
  holds: ({ exchanges: [exchange], records, change }, info) =>
    notServed(exchange, info) ?? wrongRecord(records) ?? wrongBalance(records, change) ?? HOLDS,
});

function wrongRecord(records: readonly WorkspaceRequest[]): Ruling | undefined {
  const received = describeWorkspaceRequests(records);
  const debited = records.filter(({ debit }) => debit !== null);
  if (records.some(({ state }) => state === 'running'))
    return inconclusive(`the request still runs in the workspace, which shows ${received}`);
  if (records.length === 0) return inconclusive(describeUnseen('the request'));
  if (debited.length !== 1)
    return violated(
      debited.length === 0 ? 'no-debit' : 'debited-twice',
      'one debit for a completion',
      received,
    );
  if (debited.some(({ debit }) => debit === null || debit <= 0))
    return violated('no-debit', 'a debit above 0', received);
  const isConsumed = debited.every(({ reservation }) => (reservation?.state ?? 'consumed') === 'consumed');
  return isConsumed ? undefined : violated('not-consumed', 'a consumed reservation', received);
}

function wrongBalance(records: readonly WorkspaceRequest[], change: BalanceChange): Ruling | undefined {
  const debit = records.reduce((sum, record) => sum + (record.debit ?? 0), 0);
  const spent = spentIn(change);
  if (spent !== debit)
    return violated('balance', `a balance lower by the debit of ${debit}`, `a balance lower by ${spent}`);
  const more = moreHeldIn(change);
  return more === 0
    ? undefined
    : violated('still-held', 'no credits held after a completion', `credits held: ${more}`);
}
