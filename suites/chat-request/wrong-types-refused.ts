import {
  wrongMaxTokens,
  wrongMessages,
  wrongModel,
  wrongStream,
  wrongTemperature,
} from '../../fixtures/invalid/wrong-fields.ts';
import { isRefused } from '../engine/inputs/judging/is-refused.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { check } from '../engine/model/check.ts';

const TYPED = 'the table of fields gives the type, and null is a value of another type, not a missing field';

export const wrongModelRefused = check({
  id: 'wrong-model-refused',
  clauses: ['REQ-1'],
  title: 'refuses a request whose model is missing or not a string',
  given: refusals({ name: 'wrong-model', cappedCount: 4, fixedCount: 4, ...wrongModel }),
  holds: isRefused('REQ-1'),
});

export const wrongMessagesRefused = check({
  id: 'wrong-messages-refused',
  clauses: ['REQ-2'],
  title: 'refuses a request whose messages are missing, not an array, or contain anything but messages',
  given: refusals({ name: 'wrong-messages', cappedCount: 8, fixedCount: 8, ...wrongMessages }),
  holds: isRefused('REQ-2'),
});

export const wrongTemperatureRefused = check({
  id: 'wrong-temperature-refused',
  clauses: ['REQ-3'],
  title: 'refuses a temperature that is not a number',
  because: TYPED,
  given: refusals({ name: 'wrong-temperature', cappedCount: 4, fixedCount: 4, ...wrongTemperature }),
  holds: isRefused('REQ-3'),
});

export const wrongMaxTokensRefused = check({
  id: 'wrong-max-tokens-refused',
  clauses: ['REQ-4'],
  title: 'refuses a max_tokens that is not an integer',
  because: TYPED,
  given: refusals({ name: 'wrong-max-tokens', cappedCount: 4, fixedCount: 4, ...wrongMaxTokens }),
  holds: isRefused('REQ-4'),
});

export const wrongStreamRefused = check({
  id: 'wrong-stream-refused',
  clauses: ['REQ-5'],
  title: 'refuses a stream that is neither true nor false',
  because: TYPED,
  given: refusals({ name: 'wrong-stream', cappedCount: 5, ...wrongStream }),
  holds: isRefused('REQ-5'),
});
