import { controlStimulus } from '../engine/control/control-stimulus.ts';
import {
  describeUnseen,
  describeWorkspaceRequests,
  pollUntil,
  stableBalance,
  workspaceRequestsOf,
} from '../engine/control/read-workspace.ts';
import { notServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { check } from '../engine/model/check.ts';
import type { WorkspaceRequest, Balance } from '../engine/model/deployment.ts';
import { HOLDS, inconclusive, type Ruling, violated, notExercised } from '../engine/model/ruling.ts';
import type { Trial } from '../engine/model/stimulus.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { COUNT_KINDS, type UsageReading } from '../engine/reading/completions/read-completion.ts';
import { jsonText } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';
import { readResult } from '../engine/reading/streams/read-stream.ts';

/** A chat, and its effect on the workspace. */
export interface ChargedTrial extends Trial {
  /** The requests with its Idempotency-Key in the workspace. */
  readonly records: readonly WorkspaceRequest[];
  readonly change: BalanceChange;
}

/** The smallest chat in a form, or a slight change of it. */
interface Charged {
  readonly form: Form;
  /** For the second cheapest model, if there is one, which may have other prices. */
  readonly another?: true;
  /** Without `max_tokens`. */
  readonly unbounded?: true;
}

/** The smallest chat and slight changes of it, each looked up in the workspace. */
const chargedChats = controlStimulus<ChargedTrial, Charged>({
  name: 'charged-chats',
  cappedCount: 2,
  // What goes wrong in streams, and what goes wrong with other models, shows in different chats.
  inputs: [
    { form: 'streamed' },
    { form: 'whole', another: true },
    { form: 'whole' },
    { form: 'streamed', another: true },
    { form: 'whole', unbounded: true },
  ],
  cost: () => ({ served: 1 }),
  send: async ({ form, another, unbounded }, sender, deployment, info) => {
    const [cheapest, second = cheapest] = usableModels(info);
    const changes = { ...(another && { model: second?.id }), ...(unbounded && { max_tokens: undefined }) };
    const before = await stableBalance(deployment);
    const exchange = await sender.send(chatDraft({ ...smallestChat(info, form), ...changes }));
    const records = await workspaceRequestsOf(deployment, exchange);
    const debited = debitedIn(records);
    // The balance once it agrees with the requests, or the last one when the time is up.
    const agrees = (after: Balance): boolean =>
      creditsSpent({ before, after }) === debited && moreHeldIn({ before, after }) === 0;
    const after = await pollUntil(deployment.balance, agrees, deployment.patienceMs);
    return { exchanges: [exchange], records, change: { before, after } };
  },
});

/** The balance before and after a request, in whole credits. */
export interface BalanceChange {
  readonly before: Balance;
  readonly after: Balance;
}

/** What was debited: held credits are not. */
export function creditsSpent({ before, after }: BalanceChange): number {
  return before.available + before.held - after.available - after.held;
}

export function moreHeldIn({ before, after }: BalanceChange): number {
  return after.held - before.held;
}

function debitedIn(records: readonly WorkspaceRequest[]): number {
  return records.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
}

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
  if (records.some(({ state }) => state === 'running'))
    return inconclusive(`the request still runs in the workspace, which shows ${received}`);
  if (records.length === 0) return inconclusive(describeUnseen('the request'));
  const [record, ...more] = records.filter(({ debit }) => debit !== null);
  if (record === undefined) return violated('no-debit', 'one debit for a completion', received);
  if (more.length > 0) return violated('debited-twice', 'one debit for a completion', received);
  if ((record.debit ?? 0) <= 0) return violated('no-debit', 'a debit above 0', received);
  const isConsumed = record.reservation === null || record.reservation.state === 'consumed';
  return isConsumed ? undefined : violated('not-consumed', 'a consumed reservation', received);
}

function wrongBalance(records: readonly WorkspaceRequest[], change: BalanceChange): Ruling | undefined {
  const [debit, spent, more] = [debitedIn(records), creditsSpent(change), moreHeldIn(change)];
  if (spent !== debit)
    return violated('balance', `a balance lower by the debit of ${debit}`, `a balance lower by ${spent}`);
  if (more === 0) return undefined;
  return violated('still-held', 'no credits held after a completion', `credits held: ${more}`);
}

export const usageAgreesWithDebit = check({
  id: 'usage-agrees-with-debit',
  clauses: ['RES-5'],
  title: 'reports the same usage and finish reason as the workspace shows for the debit',
  given: chargedChats,
  holds: ({ exchanges: [exchange], records }, info) => {
    const elsewhere = notServed(exchange, info);
    if (elsewhere !== undefined) return elsewhere;
    const debited = records.find(({ debit }) => debit !== null);
    if (debited === undefined) return notExercised('the workspace shows no debit: see LIM-3');
    const { usage, finishReason } = debited;
    if (usage === undefined || finishReason === undefined)
      return notExercised('the workspace shows no usage or finish reason with the debit');
    const said = readResult(answerOf(exchange), info);
    const [ofUsage, ofReason] = [wrongUsage(said.usage, usage), wrongReason(said.finishReason, finishReason)];
    return [ofUsage, ofReason].find((each) => each?.kind === 'violated') ?? ofUsage ?? ofReason ?? HOLDS;
  },
});

function wrongUsage(said: UsageReading, shown: { readonly input: number; readonly output: number }) {
  if (typeof said === 'string') return notExercised(`the usage is ${said}: see RES-4`);
  const wanted = { ...shown, total: shown.input + shown.output };
  for (const kind of COUNT_KINDS) {
    const count = said[kind];
    if (count === undefined || count.value === wanted[kind]) continue;
    const expected = `${wanted[kind]} ${kind} tokens, as the workspace shows`;
    return violated(`usage-${kind}`, expected, String(count.value), count.pointer);
  }
  if (COUNT_KINDS.some((kind) => said[kind] !== undefined)) return undefined;
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
