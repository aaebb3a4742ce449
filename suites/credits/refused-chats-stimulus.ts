import { randomUUID } from 'node:crypto';
import { controlStimulus } from '../kit/control/control-stimulus.ts';
import type { Deployment, MoneyRecord } from '../kit/control/deployment.ts';
import { requestsBehind } from '../kit/control/requests-behind.ts';
import { restingBalance } from '../kit/control/resting-balance.ts';
import type { Draft } from '../kit/draft.ts';
import type { Credential, Exchange } from '../kit/exchange.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import type { Sender } from '../kit/stimulus.ts';
import type { Survey } from '../kit/survey.ts';
import type { Trial } from '../kit/trial.ts';
import type { BalanceChange } from './balance-change.ts';

/** A chat that must be refused, and what it did to the workspace; `control` is its accepted twin. */
export interface RefusedTrial extends Trial {
  /** What the workspace shows with its Idempotency-Key. */
  readonly records: readonly MoneyRecord[];
  readonly change: BalanceChange;
}

const UNKNOWN_KEY: Credential = {
  kind: 'forged',
  label: 'an unknown key',
  header: () => `Bearer sk-${randomUUID()}`,
};

/** More output than any model generates, and still an integer to every reader (ERR-4). */
const TOO_MANY_TOKENS = 2_000_000_000;

/** What is wrong with each, those first that a service finds out last. */
const WRONG = {
  'too much output': (survey: Survey) =>
    chatDraft({ ...smallestChat(survey), max_tokens: TOO_MANY_TOKENS }, { needsOutput: TOO_MANY_TOKENS }),
  'an unknown field': (survey: Survey) => chatDraft({ ...smallestChat(survey), unheard_of: 'x' }),
  'an unlisted model': (survey: Survey) => chatDraft({ ...smallestChat(survey), model: 'no-such-model' }),
  'an unknown key': (survey: Survey) => chatDraft(smallestChat(survey), { credential: UNKNOWN_KEY }),
} as const satisfies Record<string, (survey: Survey) => Draft>;

/** A rate limit error has nothing wrong: it is made to strike. */
const REASONS = [
  'too much output',
  'an unknown field',
  'the rate limit',
  'an unlisted model',
  'an unknown key',
] as const;

type Reason = (typeof REASONS)[number];

/** One refusal at a time, with the balance before and after. */
export const refusedChats = controlStimulus<RefusedTrial, Reason>({
  name: 'refused-chats-in-workspace',
  few: 3,
  inputs: REASONS,
  cost: (_, survey) => ({ refused: 1, open: 1, twins: [chatDraft(smallestChat(survey))] }),
  send: async (reason, sender, deployment, survey) => {
    const control = await sender.control(chatDraft(smallestChat(survey)));
    const before = await restingBalance(deployment);
    const exchange = await refused(reason, sender, deployment, survey);
    const records = await requestsBehind(deployment, exchange);
    const after = await restingBalance(deployment);
    return { exchanges: [exchange], control, records, change: { before, after } };
  },
});

async function refused(
  reason: Reason,
  sender: Sender,
  deployment: Deployment,
  survey: Survey,
): Promise<Exchange> {
  if (reason !== 'the rate limit') return sender.send(WRONG[reason](survey));
  await deployment.arm({ fault: 'rate_limit' });
  const exchange = await sender.provoke(chatDraft(smallestChat(survey), { armed: 'refusal' }));
  await deployment.disarm();
  return exchange;
}
