import { refusedUnlikeCounterpart } from '../engine/inputs/judging/is-refused.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Answer } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, isQuotaStatus } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { jsonText } from '../engine/reading/json.ts';
import { CLIENT_READS, describeClientResult, judgeClientReads } from './client-reads-answers.ts';
import { clientCompletion, clientModels, clientRefusal, clientStream } from './client-stimuli.ts';
import type { ClientTrial, ObservedApiError } from './tested-client.ts';

export const clientListsModels = check({
  id: 'client-lists-models',
  clauses: ['VER-2'],
  title: 'returns a model list that the tested client can read',
  decides: 'lists models',
  given: clientModels,
  holds: readsOfServed('models'),
});

export const clientCompletes = check({
  id: 'client-completes',
  clauses: ['VER-2'],
  title: 'returns a completion whose text the tested client can read',
  decides: 'completes',
  given: clientCompletion,
  holds: readsOfServed('text'),
});

export const clientReadsFinishReason = check({
  id: 'client-reads-finish-reason',
  clauses: ['VER-2'],
  title: 'returns a completion whose finish reason the tested client can read',
  decides: 'reads the finish reason',
  given: clientCompletion,
  holds: readsOfServed('finishReason'),
});

export const clientStreams = check({
  id: 'client-streams',
  clauses: ['VER-2'],
  title: 'returns a stream whose whole text the tested client can read',
  decides: 'streams',
  given: clientStream,
  holds: readsOfServed('streamedText'),
});

export const clientRaisesTypedError = check({
  id: 'client-raises-typed-error',
  clauses: ['VER-2'],
  title: 'refuses an invalid request so that the tested client raises its typed error',
  decides: 'raises typed errors',
  level: 'convention',
  because: 'the client recognises an error by its status, which the specification leaves open',
  given: clientRefusal,
  holds: judgeClientError(({ status }, answer) =>
    status === answer.status
      ? HOLDS
      : violated('other-status', `an APIError of status ${answer.status}`, `an APIError of status ${status}`),
  ),
});

export const clientReadsErrorCode = check({
  id: 'client-reads-error-code',
  clauses: ['VER-2'],
  title: 'refuses an invalid request so that the error of the tested client holds the code',
  decides: 'reads error codes',
  level: 'convention',
  because:
    'the client takes the code from the place of the common convention, which the specification leaves open',
  given: clientRefusal,
  holds: judgeClientError((_, answer, info, { sight }) =>
    judgeClientReads(CLIENT_READS.errorCode, sight, answer, info),
  ),
});

export const clientReadsErrorItems = check({
  id: 'client-reads-error-items',
  clauses: ['VER-2'],
  title:
    'refuses an invalid request so that the error of the tested client holds the code and the request ID',
  decides: 'reads request IDs',
  level: 'convention',
  because:
    'the client takes the request ID from a header of the common convention, which the specification does not name',
  given: clientRefusal,
  holds: judgeClientError((seen, answer, info, { sight }) => {
    const ruling = judgeClientReads(CLIENT_READS.errorCode, sight, answer, info);
    return ruling.kind === 'holds' ? judgeRequestId(seen, answer, info) : ruling;
  }),
});

/** A proxy may have put an ID of its own into the header. */
function judgeRequestId({ requestId: seen }: ObservedApiError, answer: Answer, info: TargetInfo): Ruling {
  const item = readError(answer, info)?.requestId;
  if (typeof item !== 'object')
    return notExercised('no request ID was recognised in the error object: see ERR-1');
  const expected = typeof item.value === 'string' ? item.value : jsonText(item.value);
  if (seen === expected) return HOLDS;
  return notExercised(`the client looks for the request ID in a header, not at ${item.pointer}`);
}

/** Judges what the client makes of a request that is accepted without the client. */
function readsOfServed(what: Exclude<keyof typeof CLIENT_READS, 'errorCode'>): Judgement<ClientTrial> {
  return ({ exchanges: [exchange, again], sight }, info) => {
    const received = describeAnswer(exchange, info);
    if (isQuotaStatus(answerOf(exchange).status))
      return inconclusive(`the request met a quota or a rate limit: ${received}`);
    if (dispositionOf(exchange, info) === 'served')
      return judgeClientReads(CLIENT_READS[what], sight, answerOf(exchange), info);
    if (again !== undefined && dispositionOf(again, info) !== 'served')
      return notExercised('it was refused without the client too when it came again: see IDEM-3');
    return violated('refused', 'the answer that the same request gets without the client', received);
  };
}

/** Judges the typed error of the client, given a refusal of what is accepted without the unknown member. */
function judgeClientError(
  judge: (seen: ObservedApiError, answer: Answer, info: TargetInfo, trial: ClientTrial) => Ruling,
): Judgement<ClientTrial> {
  return (trial, info) => {
    const {
      exchanges: [exchange],
      sight,
    } = trial;
    const refusal = refusedUnlikeCounterpart(trial, info, 'a member is unknown');
    if (refusal.kind === 'violated')
      return notExercised(`the request was accepted, see REQ-6: ${describeAnswer(exchange, info)}`);
    if (refusal.kind !== 'holds') return refusal;
    const seen = sight.kind === 'threw' ? sight.apiError : undefined;
    return seen
      ? judge(seen, answerOf(exchange), info, trial)
      : violated('untyped', 'a typed error, thrown by the client', describeClientResult(sight));
  };
}
