import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { answerOf, isUnavailable } from '../kit/reading/answers.ts';
import { dispositionOf, describeAnswer } from '../kit/reading/errors/disposition.ts';

/** A refusal is recognised by its error object, whatever the status: see `dispositionOf`. */
export const statusClasses: Invariant = {
  id: 'status-classes',
  clauses: ['ERR-10'],
  title: 'gives every refusal a 4xx status',
  because: 'by the convention the status class distinguishes refusals from success',
  judge: (info) => (exchange) => {
    if (dispositionOf(exchange, info) !== 'refused') return undefined;
    const { status } = answerOf(exchange);
    return status >= 400
      ? HOLDS
      : violated('error-without-4xx', 'a 4xx status', `an error with status ${status}`);
  },
};

/**
 * Gateway statuses leave the outcome uncertain (ERR-7), so they get here only where the run armed them. An armed fault
 * may make the service fail (ERR-6).
 */
export const neverFails: Invariant = {
  id: 'never-fails',
  clauses: ['ERR-11'],
  title: 'answers no request with a server error',
  because: 'by the specification a request is either served or refused',
  ofDeath: (what) => violated('died', 'success or an error object', what),
  judge: (info) => (exchange) => {
    if (exchange.armed !== undefined) return undefined;
    if (dispositionOf(exchange, info) !== 'failed' || isUnavailable(answerOf(exchange))) return HOLDS;
    const received = describeAnswer(exchange, info);
    return violated('failed', 'success or an error object', received);
  },
};
