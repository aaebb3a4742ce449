import { randomUUID } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import { controlStimulus, inconclusiveIfUntriggered } from '../engine/control/control-stimulus.ts';
import { workspaceRequestsOf, settledRequests } from '../engine/control/read-workspace.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import type { Judged, Judgement } from '../engine/model/check.ts';
import type { Deployment, WorkspaceRequest, FaultRule } from '../engine/model/deployment.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import type { Ruling } from '../engine/model/ruling.ts';
import type { Sender, Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';

type Loss = Extract<FaultRule['fault'], 'gateway_failure' | 'timeout'>;

/** A fault, and the form of the chat that triggers it. */
type Armed = readonly [fault: Loss, form: Form];

/** A chat whose answer was lost during generation; `counterpart` is the same chat, accepted. */
export interface ArmedLossTrial extends Trial {
  readonly fault: Loss;
  /** How often the fault triggered. */
  readonly fired: number;
  /** The lost request in the workspace, once it had settled and after the next chat. */
  readonly soon: readonly WorkspaceRequest[];
  readonly later: readonly WorkspaceRequest[];
  /** The counterpart, sent afresh, in the workspace; a journal of release 0.1.0 need not have it. */
  readonly fresh?: readonly WorkspaceRequest[];
}

/** The smallest chat with a gateway failure or a timeout after its reservation, looked up in the workspace. */
export const armedLosses = controlStimulus<ArmedLossTrial, Armed>({
  name: 'armed-losses',
  cappedCount: 2,
  inputs: [
    ['gateway_failure', 'streamed'],
    ['timeout', 'whole'],
    ['gateway_failure', 'whole'],
    ['timeout', 'streamed'],
  ],
  cost: () => ({ served: 2 }),
  send: async ([fault, form], sender, deployment, info) => {
    const chat = smallestChat(info, form);
    const key = randomUUID();
    await deployment.arm({ fault, phase: 'during-generation' });
    const exchange = await lostExchange(fault, chat, key, sender, deployment);
    const fired = await deployment.triggerCount();
    await deployment.disarm();
    const soon = await workspaceRequestsOf(deployment, exchange);
    // As new work, which must not touch what is under review.
    const counterpart = await sender.send(chatDraft(chat));
    const fresh = await workspaceRequestsOf(deployment, counterpart);
    const later = await deployment.requests(key);
    for (const { requestId, state } of later)
      if (state === 'under_review') await deployment.release(requestId);
    return { fault, fired, exchanges: [exchange], soon, later, counterpart, fresh };
  },
});

/** Waits for an answer that never comes only until the workspace shows the outcome of the request. */
async function lostExchange(
  fault: Loss,
  chat: ChatBody,
  key: string,
  sender: Sender,
  deployment: Deployment,
): Promise<Exchange> {
  const leave = new AbortController();
  const exchange = sender.provoke(
    chatDraft(chat, {
      idempotencyKey: { exactly: key },
      armed: 'loss',
      giveUp: leave.signal,
    }),
  );
  try {
    await (fault === 'timeout' ? Promise.race([exchange, settledRequests(deployment, key)]) : exchange);
  } finally {
    leave.abort('the run armed the loss of its answer');
  }
  return exchange;
}

/** Judges a lost answer, whether its outcome is uncertain or it was answered nevertheless. */
export function judgeArmedLoss(
  judge: (exchange: Exchange, trial: Judged<ArmedLossTrial>, info: TargetInfo) => Ruling,
): { readonly holds: Judgement<ArmedLossTrial>; readonly tellsUncertain: Judgement<ArmedLossTrial> } {
  const holds: Judgement<ArmedLossTrial> = (trial, info) =>
    inconclusiveIfUntriggered(trial.fault, trial.fired) ?? judge(trial.exchanges[0], trial, info);
  return { holds, tellsUncertain: holds };
}
