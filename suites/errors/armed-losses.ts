import { randomUUID } from 'node:crypto';
import type { ChatBody } from '../../fixtures/chats/chat.ts';
import {
  controlStimulus,
  inconclusiveIfUntriggered,
  underFault,
} from '../engine/control/control-stimulus.ts';
import {
  workspaceRequestsOf,
  settledRequests,
  describeWorkspaceRequests,
} from '../engine/control/read-workspace.ts';
import { byEnd } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { type Judged, type Judgement, check } from '../engine/model/check.ts';
import type { Deployment, WorkspaceRequest, FaultRule } from '../engine/model/deployment.ts';
import type { Exchange, Answer } from '../engine/model/exchange.ts';
import { type Ruling, HOLDS, inconclusive, notExercised, violated } from '../engine/model/ruling.ts';
import type { Sender, Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isUnavailable } from '../engine/reading/answers.ts';
import { describeSuccess, dispositionOf, isEventStream } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { readStream } from '../engine/reading/streams/read-stream.ts';

type Loss = Extract<FaultRule['fault'], 'gateway_failure' | 'timeout'>;

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
const armedLosses = controlStimulus<ArmedLossTrial, Armed>({
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
    const { exchange, fired } = await underFault(deployment, { fault, phase: 'during-generation' }, () =>
      lostExchange(fault, chat, key, sender, deployment),
    );
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
  const idempotencyKey = { exactly: key };
  const exchange = sender.provoke(chatDraft(chat, { idempotencyKey, armed: 'loss', giveUp: leave.signal }));
  try {
    await (fault === 'timeout' ? Promise.race([exchange, settledRequests(deployment, key)]) : exchange);
  } finally {
    leave.abort('the run armed the loss of its answer');
  }
  return exchange;
}

/** Judges a lost answer, whether its outcome is uncertain or it was answered nevertheless. */
function judgeArmedLoss(
  judge: (exchange: Exchange, trial: Judged<ArmedLossTrial>, info: TargetInfo) => Ruling,
) {
  const holds: Judgement<ArmedLossTrial> = (trial, info) =>
    inconclusiveIfUntriggered(trial.fault, trial.fired) ?? judge(trial.exchanges[0], trial, info);
  return { holds, tellsUncertain: holds };
}

/** The body may be JSON or not (ERR-7): only a body that looks like a completion is wrong. */
export const gatewayFailureIsNoSuccess = check({
  id: 'gateway-failure-is-no-success',
  clauses: ['ERR-7'],
  title: 'never presents a gateway failure as a completion, and serves again afterwards',
  given: armedLosses,
  ...judgeArmedLoss((exchange, { fault }, info) => {
    if (fault !== 'gateway_failure') return notExercised('the armed fault is not a gateway failure');
    const { outcome } = exchange;
    if (outcome.kind !== 'answered')
      return outcome.kind === 'uncertain' && (outcome.answer?.status ?? 0) >= 400
        ? HOLDS
        : inconclusive(`the answer was incomplete: ${outcome.reason}`);
    const expected = 'a failure, because a gateway failure was armed';
    const isUnfinished = isUnfinishedStream(outcome.answer, info);
    return byEnd(exchange, info, {
      ...(!isUnfinished && { served: () => violated('served', expected, describeSuccess(exchange)) }),
      refused: HOLDS,
      limited: HOLDS,
      failed: HOLDS,
      unavailable: HOLDS,
    });
  }),
});

/** A stream that began before the gateway failed is no completion until it has text and a finish reason. */
function isUnfinishedStream(answer: Answer, info: TargetInfo): boolean {
  if (!isEventStream(answer)) return false;
  const { text, finishReason } = readStream(answer, info);
  return (text?.text ?? '') === '' || typeof finishReason === 'string';
}

export const uncertainStaysUnderReview = check({
  id: 'uncertain-stays-under-review',
  clauses: ['ERR-8'],
  title: 'keeps a request with an unknown outcome, and its reservation, under review, and never replays it',
  given: armedLosses,
  ...judgeArmedLoss(
    (exchange, trial, info) =>
      leavesNothingUncertain(exchange, trial, info) ??
      counterpartNotShown(trial) ??
      underReview(trial.soon, 'once settled') ??
      underReview(trial.later, 'after the next chat') ??
      HOLDS,
  ),
});

/**
 * A service may refuse any request that it has no capacity for, and keeps nothing of it: no timeout of the armed kind
 * is answered with an error object at once.
 */
function leavesNothingUncertain(
  exchange: Exchange,
  { fault, soon, later }: ArmedLossTrial,
  info: TargetInfo,
): Ruling | undefined {
  const { outcome } = exchange;
  if (outcome.kind !== 'answered') return undefined;
  if (dispositionOf(exchange, info) !== 'failed') return notExercised('the answer leaves nothing uncertain');
  const { answer } = outcome;
  const mayBeRefused = fault === 'timeout' && isUnavailable(answer) && readError(answer, info) !== undefined;
  return mayBeRefused && soon.length + later.length === 0
    ? inconclusive(
        `the service answered ${answer.status} instead of losing the request, so nothing can be judged`,
      )
    : undefined;
}

/** A workspace that does not show an accepted request cannot prove anything about a missing one. */
function counterpartNotShown({ soon, later, fresh }: ArmedLossTrial): Ruling | undefined {
  if (fresh === undefined) return undefined;
  const [served, ...more] = fresh;
  const shown = describeWorkspaceRequests(fresh);
  if (served === undefined || more.length > 0 || served.state !== 'succeeded')
    return inconclusive(`the workspace shows ${shown} for the accepted counterpart`);
  const isShared = [...soon, ...later].some(({ requestId }) => requestId === served.requestId);
  const expected = 'a fresh request with its own request ID';
  return isShared ? violated('not-its-own', expected, 'the request ID of the lost request') : undefined;
}

function underReview(records: readonly WorkspaceRequest[], when: string): Ruling | undefined {
  const [record, ...more] = records;
  const shown = describeWorkspaceRequests(records);
  const wanted = `one request with the Idempotency-Key, under review with its reservation, ${when}`;
  if (record === undefined) return violated('not-in-workspace', wanted, shown);
  if (more.length > 0) return violated('repeated', wanted, shown);
  if (record.debit !== null) return violated('debited', wanted, shown);
  if (record.state === 'running')
    return inconclusive(`the request still runs in the workspace, which shows ${shown}`);
  if (record.state !== 'under_review') return violated('not-under-review', wanted, shown);
  // A reservation is optional (LIM-3); one that exists must stay held.
  const { state } = record.reservation ?? { state: 'held' };
  return state === 'under_review' || state === 'held'
    ? undefined
    : violated('reservation-gone', wanted, shown);
}
