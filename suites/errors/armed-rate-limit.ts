import { check } from '../kit/model/check.ts';
import { armedRefusals } from './armed-refusal-stimulus.ts';
import { isToldAsError } from './told-as-error.ts';

export const armedRateLimitError = check({
  id: 'armed-rate-limit-error',
  clauses: ['ERR-5'],
  title: 'answers with an error object when its rate limit is made to strike',
  given: armedRefusals({
    name: 'armed-rate-limit',
    few: 1,
    armed: [['rate_limit', 'whole']],
    twin: 'before',
  }),
  holds: isToldAsError,
});
