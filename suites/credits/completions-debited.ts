import { describeUnseen, describeWorkspaceRequests } from '../engine/control/read-workspace.ts';
import { notServed } from '../engine/inputs/judging/is-served.ts';
import { check } from '../engine/model/check.ts';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated, notExercised } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import type { UsageReading } from '../engine/reading/completions/read-completion.ts';
import { jsonText } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';
import { readResult } from '../engine/reading/streams/read-stream.ts';
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

export const usageAgreesWithDebit = check({
  id: 'usage-agrees-with-debit',
  clauses: ['RES-5'],
  title: 'reports the same usage and finish reason as the workspace shows for the debit',
  given: chargedChats,
  holds: ({ exchanges: [exchange], records }, info) =>
    notServed(exchange, info) ?? agreement(answerOf(exchange), records, info),
});

function agreement(answer: Answer, records: readonly WorkspaceRequest[], info: TargetInfo): Ruling {
  const debited = records.find(({ debit }) => debit !== null);
  if (debited === undefined) return notExercised('the workspace shows no debit: see LIM-3');
  const { usage, finishReason } = debited;
  if (usage === undefined || finishReason === undefined)
    return notExercised('the workspace shows no usage or finish reason with the debit');
  const said = readResult(answer, info);
  return wrongUsage(said.usage, usage) ?? wrongReason(said.finishReason, finishReason) ?? HOLDS;
}

function wrongUsage(
  said: UsageReading,
  shown: { readonly input: number; readonly output: number },
): Ruling | undefined {
  if (typeof said === 'string') return notExercised(`the usage is ${said}: see RES-4`);
  const wanted = { ...shown, total: shown.input + shown.output };
  const counts = (['input', 'output', 'total'] as const).flatMap((kind) => {
    const count = said[kind];
    return count === undefined ? [] : [{ kind, count, wanted: wanted[kind] }];
  });
  const named = counts.filter(({ count }) => count.inTokens);
  const wrong = named.find(({ count, wanted: tokens }) => count.value !== tokens);
  if (wrong !== undefined) {
    const expected = `${wrong.wanted} ${wrong.kind} tokens, as the workspace shows`;
    return violated(`usage-${wrong.kind}`, expected, String(wrong.count.value), wrong.count.pointer);
  }
  // Other counts may be of credits or words, unless they are the same numbers.
  const agree = counts.length > 0 && counts.every(({ count, wanted: tokens }) => count.value === tokens);
  if (named.length > 0 || agree) return undefined;
  const hint =
    'pin "response.usage.input" and "response.usage.output" in a profile, each to a name or a pointer such as /input/tokens';
  return notExercised('no token count was recognised in the usage', hint);
}

function wrongReason(said: ItemReading, shown: string): Ruling | undefined {
  if (typeof said === 'string') return notExercised(`the finish reason is ${said}: see RES-3`);
  if (typeof said.value !== 'string')
    return notExercised(
      'the finish reason is not text, so it cannot be compared',
      'pin "response.finish_reason" and "stream.finish_reason" in a profile to where its text is',
    );
  if (said.value === shown) return undefined;
  const expected = `the finish reason ${JSON.stringify(shown)}, as the workspace shows`;
  return violated('finish-reason', expected, jsonText(said.value), said.pointer);
}
