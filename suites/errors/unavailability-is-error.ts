import { check } from '../kit/model/check.ts';
import { armedRefusals } from './armed-refusal-stimulus.ts';
import { isToldAsError } from './told-as-error.ts';

export const unavailabilityIsError = check({
  id: 'unavailability-is-error',
  clauses: ['ERR-6'],
  title: 'answers with an error while the model or the service is unavailable, and serves again afterwards',
  given: armedRefusals({
    name: 'armed-unavailability',
    few: 2,
    armed: [
      ['model_unavailable', 'whole'],
      ['service_unavailable', 'streamed'],
      ['model_unavailable', 'streamed'],
      ['service_unavailable', 'whole'],
    ],
    twin: 'afresh',
  }),
  holds: isToldAsError,
});
