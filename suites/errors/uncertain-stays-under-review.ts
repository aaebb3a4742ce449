import { describeWorkspaceRequests } from '../engine/control/read-workspace.ts';
import { check } from '../engine/model/check.ts';
import type { WorkspaceRequest } from '../engine/model/deployment.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isUnavailable } from '../engine/reading/answers.ts';
import { dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { type ArmedLossTrial, armedLosses, judgeArmedLoss } from './armed-losses.ts';

export const uncertainStaysUnderReview = check({
  id: 'uncertain-stays-under-review',
  clauses: ['ERR-8'],
  title: 'keeps a request with an unknown outcome, and its reservation, under review, and never replays it',
  given: armedLosses,
  ...judgeArmedLoss(
    (exchange, trial, info) =>
      notUncertain(exchange, info) ??
      counterpartNotShown(trial) ??
      unavailableBefore(exchange, trial, info) ??
      underReview(trial.soon, 'once settled') ??
      underReview(trial.later, 'after the next chat') ??
      HOLDS,
  ),
});

function notUncertain(exchange: Exchange, info: TargetInfo): Ruling | undefined {
  if (exchange.outcome.kind === 'uncertain' || dispositionOf(exchange, info) === 'failed') return undefined;
  return notExercised('the answer leaves nothing uncertain');
}

/**
 * A service may refuse any request that it has no capacity for, and keeps nothing of it: no timeout of the armed kind
 * is answered with an error object at once.
 */
function unavailableBefore(
  { outcome }: Exchange,
  { fault, soon, later }: ArmedLossTrial,
  info: TargetInfo,
): Ruling | undefined {
  if (fault !== 'timeout' || outcome.kind !== 'answered' || soon.length + later.length > 0) return undefined;
  const { answer } = outcome;
  if (!isUnavailable(answer) || readError(answer, info) === undefined) return undefined;
  return inconclusive(`refused as unavailable instead of lost: status ${answer.status}`);
}

/** A workspace that does not show an accepted request cannot prove anything about a missing one. */
function counterpartNotShown({ soon, later, fresh }: ArmedLossTrial): Ruling | undefined {
  if (fresh === undefined) return undefined;
  const [served, ...more] = fresh;
  if (served === undefined || more.length > 0 || served.state !== 'succeeded')
    return inconclusive(
      `the workspace shows ${describeWorkspaceRequests(fresh)} for the accepted counterpart`,
    );
  if (![...soon, ...later].some(({ requestId }) => requestId === served.requestId)) return undefined;
  return violated(
    'not-its-own',
    'a fresh request with its own request ID',
    'the request ID of the lost request',
  );
}

function underReview(records: readonly WorkspaceRequest[], when: string): Ruling | undefined {
  const [record, ...more] = records;
  const wanted = `one request with the Idempotency-Key, under review with its reservation, ${when}`;
  const wrong = (code: string): Ruling => violated(code, wanted, describeWorkspaceRequests(records));
  if (record === undefined) return wrong('not-in-workspace');
  if (more.length > 0) return wrong('repeated');
  if (record.debit !== null) return wrong('debited');
  if (record.state === 'running')
    return inconclusive(
      `the request still runs in the workspace, which shows ${describeWorkspaceRequests(records)}`,
    );
  if (record.state !== 'under_review') return wrong('not-under-review');
  return isKept(record.reservation) ? undefined : wrong('reservation-gone');
}

/** A reservation is optional (LIM-3); one that exists must stay held. */
function isKept(reservation: WorkspaceRequest['reservation']): boolean {
  return reservation === null || reservation.state === 'under_review' || reservation.state === 'held';
}
