import { refusedUnlikeCounterpart } from '../kit/judging/is-refused.ts';
import { check, type Judgement } from '../kit/model/check.ts';
import type { Answer } from '../kit/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { answerOf, isMiscoded } from '../kit/reading/answers.ts';
import { describeAnswer } from '../kit/reading/errors/disposition.ts';
import { type ErrorReading, type ItemReading, readError } from '../kit/reading/errors/read-error.ts';
import { jsonText } from '../kit/reading/json.ts';
import { describeClientResult } from './client-reads-answers.ts';
import { clientRefusal } from './client-stimuli.ts';
import type { ObservedApiError, ClientTrial } from './tested-client.ts';

const CODE_OF_CLIENT = '/error/code';

export const clientRaisesTypedError = check({
  id: 'client-raises-typed-error',
  clauses: ['VER-2'],
  title: 'refuses an invalid request so that the tested client raises its typed error',
  decides: 'raises typed errors',
  level: 'convention',
  because: 'the client recognises an error by its status, which the specification leaves open',
  given: clientRefusal,
  holds: judgeClientError((seen, answer) => {
    if (seen.status === answer.status) return HOLDS;
    return violated(
      'other-status',
      `an APIError of status ${answer.status}`,
      `an APIError of status ${seen.status}`,
    );
  }),
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
  holds: judgeErrorItems(({ code }, error) => item('code', code, error.code) ?? HOLDS),
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
  holds: judgeErrorItems(
    ({ code, requestId }, error) =>
      item('code', code, error.code) ?? item('request-id', requestId, error.requestId) ?? HOLDS,
  ),
});

/** Judges what the error of the client holds of an error object that has its code where the client looks for it. */
function judgeErrorItems(
  judge: (seen: ObservedApiError, error: ErrorReading) => Ruling,
): Judgement<ClientTrial> {
  return judgeClientError((seen, answer, info) => {
    const error = readError(answer, info);
    if (error === undefined) return notExercised('there is no error object: see ERR-1');
    if (isMiscoded(answer) && seen.code === undefined)
      return violated(
        'unread',
        'an error that the client can read',
        'a body that does not decode',
        'content-encoding',
      );
    if (typeof error.code === 'object' && error.code.pointer !== CODE_OF_CLIENT)
      return notExercised(`the client looks for the code at ${CODE_OF_CLIENT}, not at ${error.code.pointer}`);
    return judge(seen, error);
  });
}

/** Names and places are open (ERR-9): the client may miss an item, but one that it finds must be right. */
function item(
  what: 'code' | 'request-id',
  seen: string | undefined,
  reading: ItemReading,
): Ruling | undefined {
  if (typeof reading !== 'object')
    return notExercised(`no ${what} was recognised in the error object: see ERR-1`);
  const expected = typeof reading.value === 'string' ? reading.value : jsonText(reading.value);
  if (seen === undefined)
    return notExercised(`the client looks for the ${what} elsewhere than at ${reading.pointer}`);
  if (seen === expected) return undefined;
  // The client reads a header, where a proxy may have put its own ID.
  if (what === 'request-id')
    return notExercised(
      `the header that the client reads for the request ID differs from ${reading.pointer}`,
    );
  return violated(`other-${what}`, expected, seen, reading.pointer);
}

function judgeClientError(
  judge: (seen: ObservedApiError, answer: Answer, info: TargetInfo) => Ruling,
): Judgement<ClientTrial> {
  return (trial, info) => {
    const { exchanges, sight } = trial;
    const [exchange] = exchanges;
    if (exchange === undefined) return notExercised('no request was sent');
    const refusal = refusedUnlikeCounterpart(trial, info, 'a member is unknown');
    if (refusal.kind === 'violated')
      return notExercised(`the request was accepted, see REQ-6: ${describeAnswer(exchange, info)}`);
    if (refusal.kind !== 'holds') return refusal;
    const answer = answerOf(exchange);
    const seen = sight.kind === 'threw' ? sight.apiError : undefined;
    return seen
      ? judge(seen, answer, info)
      : violated('untyped', 'a typed error, thrown by the client', describeClientResult(sight));
  };
}
