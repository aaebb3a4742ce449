import { check } from '../kit/check.ts';
import { armedRefusals } from './armed-refusal-stimulus.ts';
import { isToldAsError } from './told-as-error.ts';

export const unavailabilityIsError = check({
  id: 'unavailability-is-error',
  clauses: ['ERR-6'],
  title: 'answers with an error while the model or the service is unavailable, and serves again afterwards',
  given: armedRefusals({
    name: 'armed-unavailability',
    faults: ['model_unavailable', 'service_unavailable'],
    twin: 'afresh',
  }),
  holds: isToldAsError,
});
