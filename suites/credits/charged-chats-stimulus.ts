import { fewChats } from '../../fixtures/accepted-chats.ts';
import { controlStimulus } from '../kit/control/control-stimulus.ts';
import type { Deployment, MoneyRecord } from '../kit/control/deployment.ts';
import { pollUntil } from '../kit/control/poll-until.ts';
import { requestsBehind } from '../kit/control/requests-behind.ts';
import { restingBalance } from '../kit/control/resting-balance.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { chatSettings } from '../kit/provoking/chat-settings.ts';
import type { Trial } from '../kit/trial.ts';
import { type BalanceChange, moreHeldIn, spentIn } from './balance-change.ts';

/** A chat, and what it did to the workspace. */
export interface ChargedTrial extends Trial {
  /** What the workspace shows with its Idempotency-Key. */
  readonly records: readonly MoneyRecord[];
  readonly change: BalanceChange;
}

/** The smallest chat, whole and streamed, each looked up in the workspace. */
export const chargedChats = controlStimulus<ChargedTrial, 'whole' | 'streamed'>({
  name: 'charged-chats',
  few: 2,
  inputs: ['whole', 'streamed'],
  cost: () => ({ served: 1 }),
  send: async (kind, sender, deployment, survey) => {
    const [whole, streamed] = fewChats(chatSettings(survey));
    const before = await restingBalance(deployment);
    const exchange = await sender.send(chatDraft(kind === 'whole' ? whole : streamed));
    const records = await requestsBehind(deployment, exchange);
    const after = await balanceAfter(deployment, before, records);
    return { exchanges: [exchange], records, change: { before, after } };
  },
});

/** The balance once it shows what the requests do, or what it is when patience ends. */
function balanceAfter(
  { balance, patienceMs }: Deployment,
  before: BalanceChange['before'],
  records: readonly MoneyRecord[],
): Promise<BalanceChange['after']> {
  const debited = records.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
  const agrees = (after: BalanceChange['after']): boolean =>
    spentIn({ before, after }) === debited && moreHeldIn({ before, after }) === 0;
  return pollUntil(balance, agrees, patienceMs);
}
