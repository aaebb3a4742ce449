import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';

/**
 * Gateway statuses get here only where the run armed them: they leave the outcome uncertain (ERR-7), and say nothing
 * of the service. What was armed to be unavailable may fail (ERR-6).
 */
export const neverFails: Invariant = {
  id: 'never-fails',
  clauses: ['ERR-11'],
  title: 'never fails, whatever it is sent',
  because:
    'the specification knows requests that are served and requests that are refused, and no third kind',
  judge: (survey) => (exchange) => {
    if (exchange.armed !== undefined) return undefined;
    if (dispositionOf(exchange, survey) !== 'failed') return HOLDS;
    const came = describeAnswer(exchange, survey);
    return violated('failed', 'the request served, or refused with an error object', came);
  },
};
