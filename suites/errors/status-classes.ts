import { answerOf } from '../kit/reading/answers.ts';
import { dispositionOf } from '../kit/reading/errors/disposition.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';

/** A refusal is known by its error object, whatever the status: see `dispositionOf`. */
export const statusClasses: Invariant = {
  id: 'status-classes',
  clauses: ['ERR-10'],
  title: 'gives every refusal a 4xx status',
  because: 'the convention tells refusals from success by the class of the status',
  judge: (survey) => (exchange) => {
    if (dispositionOf(exchange, survey) !== 'refused') return undefined;
    const { status } = answerOf(exchange);
    return status >= 400
      ? HOLDS
      : violated('error-without-4xx', 'a 4xx status', `an error with status ${status}`);
  },
};
