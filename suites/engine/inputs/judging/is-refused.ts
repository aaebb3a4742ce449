import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import { check, type CheckDeclaration, type Judged, type Judgement } from '../../model/check.ts';
import type { Exchange } from '../../model/exchange.ts';
import { HOLDS, type Ruling, inconclusive, notExercised, violated } from '../../model/ruling.ts';
import type { Trial } from '../../model/stimulus.ts';
import type { TargetInfo } from '../../model/target.ts';
import { answerOf, asksForStream } from '../../reading/answers.ts';
import {
  describeAnswer,
  describeSuccess,
  dispositionOf,
  isEventStream,
} from '../../reading/errors/disposition.ts';
import { readError } from '../../reading/errors/read-error.ts';
import { byEnd } from './is-served.ts';
import { listedTo, type RequestViolation, requestViolations } from './request-violations.ts';

/**
 * Judges that an invalid request is refused while its counterpart is accepted. It counts only when the bytes that were
 * sent break exactly one rule, of one of these clauses, and those of the counterpart none.
 */
export function isRefused(...clauses: readonly [ClauseId, ...ClauseId[]]): Judgement {
  return (trial, info) => {
    const [mutant] = trial.exchanges;
    const [violation, ...more] = violationsIn(mutant, info);
    if (violation === undefined) return notExercised('the request that was sent is valid');
    const unmeant = 'the request breaks a rule that it was not meant to break';
    if (more.length > 0 || !violation.clauses.some((clause) => clauses.includes(clause)))
      return notExercised(`${unmeant}: ${placesOf([violation, ...more])}`);
    const wrongPlaces = trial.counterpart === undefined ? [] : violationsIn(trial.counterpart, info);
    if (wrongPlaces.length > 0)
      return notExercised(`the counterpart itself is invalid: ${placesOf(wrongPlaces)}`);
    return refusedUnlikeCounterpart(trial, info, violation.because);
  };
}

export function refuses(clause: ClauseId, declared: Omit<CheckDeclaration<Trial>, 'clauses' | 'holds'>) {
  return check({ ...declared, clauses: [clause], holds: isRefused(clause) });
}

/** Judges a trial whose first exchange differs from its counterpart in one forbidden place; `why` says which, after "because". */
export function refusedUnlikeCounterpart(trial: Judged, info: TargetInfo, why: string): Ruling {
  const [mutant] = trial.exchanges;
  if (trial.counterpart === undefined) return notExercised('no counterpart was sent');
  return byEnd(mutant, info, {
    refused: HOLDS,
    served: () => violated('accepted', `an error, because ${why}`, describeSuccess(mutant)),
  });
}

/** The ruling where a counterpart was not accepted: a service that refuses everything passes nothing. */
export function counterpartNotAccepted(counterpart: Exchange, info: TargetInfo): Ruling | undefined {
  const disposition = dispositionOf(counterpart, info);
  if (disposition === 'served') return undefined;
  const what = disposition === 'refused' ? 'was refused too' : 'was not accepted';
  return notExercised(`its counterpart ${what}: ${describeAnswer(counterpart, info)}`);
}

function violationsIn({ request }: Exchange, info: TargetInfo): RequestViolation[] {
  return requestViolations(request.body ?? new Uint8Array(), listedTo(request.credential, info) ?? []);
}

function placesOf(violations: readonly RequestViolation[]): string {
  return violations
    .map(({ place, clauses }) => `${place || 'the whole body'} (${clauses.join(', ')})`)
    .join(', ');
}

/** Takes "holds" back where the refusal has no error object: ERR-1 says so, and whether it is the right one is unknown. */
export function requireErrorObject(ruling: Ruling, { exchanges }: Judged, info: TargetInfo): Ruling {
  if (ruling.kind !== 'holds') return ruling;
  const [exchange] = exchanges;
  const answer = answerOf(exchange);
  if (readError(answer, info) !== undefined) return ruling;
  if (asksForStream(exchange.request) && isEventStream(answer))
    return notExercised('the refusal came as an event stream: see STR-4');
  return inconclusive(`it was refused without an error object, see ERR-1: ${describeAnswer(exchange, info)}`);
}
