import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { controlStimulus, underFault } from '../engine/control/control-stimulus.ts';
import {
  describeUnseen,
  describeWorkspaceRequests,
  workspaceRequestsOf,
  stableBalance,
} from '../engine/control/read-workspace.ts';
import { byEnd } from '../engine/inputs/judging/is-served.ts';
import {
  chatDraft,
  type Form,
  smallestChat,
  tooMuchOutput,
  unknownKey,
} from '../engine/inputs/provoking/chat-drafts.ts';
import { check } from '../engine/model/check.ts';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import type { Draft } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, type Ruling, violated } from '../engine/model/ruling.ts';
import { type BalanceChange, type ChargedTrial, creditsSpent, moreHeldIn } from './completions-debited.ts';

/** A chat that must be refused, and its effect on the workspace. */
export interface RefusedTrial extends ChargedTrial {
  /** The accepted counterpart in the workspace; journals of release 0.1.0 do not have it. */
  readonly accepted?: readonly WorkspaceRequest[];
}

/** The mistakes, those first that a service finds last. */
const WRONG = {
  'too much output': tooMuchOutput,
  'an unknown field': (chat) => chatDraft({ ...chat, unheard_of: 'x' }),
  'an unlisted model': (chat) => chatDraft({ ...chat, model: 'no-such-model' }),
  'an unknown key': (chat) => chatDraft(chat, { credential: unknownKey() }),
} as const satisfies Record<string, (chat: ChatBody) => Draft>;

type Refused = readonly [reason: keyof typeof WRONG | 'the rate limit', form: Form];

/** One refusal at a time, and the balance before and after it. */
const refusedChats = controlStimulus<RefusedTrial, Refused>({
  name: 'refused-chats-in-workspace',
  cappedCount: 3,
  inputs: [
    ['too much output', 'whole'],
    ['an unknown field', 'streamed'],
    ['the rate limit', 'whole'],
    ['an unlisted model', 'whole'],
    ['an unknown key', 'streamed'],
    ['too much output', 'streamed'],
    ['an unknown field', 'whole'],
    ['the rate limit', 'streamed'],
  ],
  cost: ([, form], info) => ({ refused: 1, counterparts: [chatDraft(smallestChat(info, form))] }),
  send: async ([reason, form], sender, deployment, info) => {
    const chat = smallestChat(info, form);
    const counterpart = await sender.sendCounterpart(chatDraft(chat));
    const accepted = await workspaceRequestsOf(deployment, counterpart);
    const before = await stableBalance(deployment);
    // A rate limit error needs no mistake: it is armed.
    const { exchange } =
      reason === 'the rate limit'
        ? await underFault(deployment, { fault: 'rate_limit' }, () =>
            sender.provoke(chatDraft(chat, { armed: 'refusal' })),
          )
        : { exchange: await sender.send(WRONG[reason](chat)) };
    const records = await workspaceRequestsOf(deployment, exchange);
    const after = await stableBalance(deployment);
    return { exchanges: [exchange], counterpart, accepted, records, change: { before, after } };
  },
});

export const refusalCostsNothing = check({
  id: 'refusal-costs-nothing',
  clauses: ['LIM-4'],
  title: 'debits and reserves nothing for a refused request',
  because: 'credits are consumed by requests that succeed',
  given: refusedChats,
  holds: ({ exchanges: [exchange], accepted, records, change }, info) => {
    // A workspace that does not show a completion would not show the debit of a refused request either.
    const isBlind = accepted?.length === 0;
    const unseen = isBlind ? inconclusive(describeUnseen('the accepted counterpart')) : HOLDS;
    const refused = wrongRecord(records) ?? wrongBalance(change) ?? unseen;
    return byEnd(exchange, info, { refused, limited: refused, served: 'the request was accepted' });
  },
});

function wrongRecord(records: readonly WorkspaceRequest[]): Ruling | undefined {
  const received = describeWorkspaceRequests(records);
  if (records.some(({ debit }) => debit !== null && debit !== 0))
    return violated('debited', 'no debit for a refused request', received);
  const isHeld = records.some(({ reservation }) => /^(held|under_review)$/.test(reservation?.state ?? ''));
  return isHeld ? violated('still-held', 'no credits held for a refused request', received) : undefined;
}

function wrongBalance(change: BalanceChange): Ruling | undefined {
  const [spent, more] = [creditsSpent(change), moreHeldIn(change)];
  if (spent > 0)
    return violated('balance', 'an unchanged balance after a refusal', `a balance lower by ${spent}`);
  if (more <= 0) return undefined;
  return violated('still-held', 'no credits held for a refused request', `credits held: ${more}`);
}
