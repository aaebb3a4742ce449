import type { ChatBody, JsonObject } from '../../fixtures/chats/chat.ts';
import { controlStimulus } from '../engine/control/control-stimulus.ts';
import { pollUntil, workspaceRequestsOf, stableBalance } from '../engine/control/read-workspace.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { usableModels } from '../engine/inputs/provoking/listed-models.ts';
import type { Deployment, WorkspaceRequest, Balance } from '../engine/model/deployment.ts';
import type { Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';

/** A chat, and its effect on the workspace. */
export interface ChargedTrial extends Trial {
  /** The requests with its Idempotency-Key in the workspace. */
  readonly records: readonly WorkspaceRequest[];
  readonly change: BalanceChange;
}

/** The chats that are charged for. The second cheapest model, if there is one, may have other prices. */
const CHARGED = {
  'a stream': (info) => smallestChat(info, 'streamed'),
  'a response of another model': (info) => ofAnother(smallestChat(info), info),
  'a response': smallestChat,
  'a stream of another model': (info) => ofAnother(smallestChat(info, 'streamed'), info),
  'output without bounds': (info) => withoutMaxTokens(smallestChat(info)),
} as const satisfies Record<string, (info: TargetInfo) => JsonObject>;

type Charged = keyof typeof CHARGED;

/** The smallest chat and slight changes of it, each looked up in the workspace. */
export const chargedChats = controlStimulus<ChargedTrial, Charged>({
  name: 'charged-chats',
  cappedCount: 2,
  // What goes wrong in streams, and what goes wrong with other models, shows in different chats.
  inputs: [
    'a stream',
    'a response of another model',
    'a response',
    'a stream of another model',
    'output without bounds',
  ],
  cost: () => ({ served: 1 }),
  send: async (charged, sender, deployment, info) => {
    const before = await stableBalance(deployment);
    const exchange = await sender.send(chatDraft(CHARGED[charged](info)));
    const records = await workspaceRequestsOf(deployment, exchange);
    const after = await balanceAfter(deployment, before, records);
    return { exchanges: [exchange], records, change: { before, after } };
  },
});

function ofAnother(chat: ChatBody, info: TargetInfo): ChatBody {
  const [, another] = usableModels(info);
  return another === undefined ? chat : { ...chat, model: another.id };
}

function withoutMaxTokens(chat: ChatBody): JsonObject {
  const { max_tokens: _, ...unbounded } = chat;
  return unbounded;
}

/** The balance once it agrees with the requests, or the last one when the time is up. */
function balanceAfter(
  { balance, patienceMs }: Deployment,
  before: BalanceChange['before'],
  records: readonly WorkspaceRequest[],
): Promise<BalanceChange['after']> {
  const debited = records.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
  const agrees = (after: BalanceChange['after']): boolean =>
    spentIn({ before, after }) === debited && moreHeldIn({ before, after }) === 0;
  return pollUntil(balance, agrees, patienceMs);
}

/** The balance before and after a request, in whole credits. */
export interface BalanceChange {
  readonly before: Balance;
  readonly after: Balance;
}

/** The credits that were debited; held credits are not. */
export function spentIn({ before, after }: BalanceChange): number {
  return before.available + before.held - after.available - after.held;
}

/** How many more credits are held than before. */
export function moreHeldIn({ before, after }: BalanceChange): number {
  return after.held - before.held;
}
