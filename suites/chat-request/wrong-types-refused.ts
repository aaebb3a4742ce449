import { wrongMaxTokens, wrongMaxTokensFirst } from '../../fixtures/invalid/wrong-max-tokens.ts';
import { wrongMessages, wrongMessagesFirst } from '../../fixtures/invalid/wrong-messages.ts';
import { wrongModel, wrongModelFirst } from '../../fixtures/invalid/wrong-model.ts';
import { wrongStream, wrongStreamFirst } from '../../fixtures/invalid/wrong-stream.ts';
import { wrongTemperature, wrongTemperatureFirst } from '../../fixtures/invalid/wrong-temperature.ts';
import { check } from '../kit/model/check.ts';
import { isRefused } from '../kit/judging/is-refused.ts';
import { refusals } from '../kit/provoking/refusal-stimulus.ts';

const TYPED =
  'the table of fields gives the type, and null is a type of its own, not the absence of the field';

export const wrongModelRefused = check({
  id: 'wrong-model-refused',
  clauses: ['REQ-1'],
  title: 'refuses a chat whose model is missing or no string',
  given: refusals({ name: 'wrong-model', few: 6, steady: 4, first: wrongModelFirst, drawn: wrongModel }),
  holds: isRefused('REQ-1'),
});

export const wrongMessagesRefused = check({
  id: 'wrong-messages-refused',
  clauses: ['REQ-2'],
  title: 'refuses a chat whose messages are missing, no array, or not messages all of them',
  given: refusals({
    name: 'wrong-messages',
    few: 9,
    steady: 8,
    first: wrongMessagesFirst,
    drawn: wrongMessages,
  }),
  holds: isRefused('REQ-2'),
});

export const wrongTemperatureRefused = check({
  id: 'wrong-temperature-refused',
  clauses: ['REQ-3'],
  title: 'refuses a chat whose temperature is no number',
  because: TYPED,
  given: refusals({
    name: 'wrong-temperature',
    few: 5,
    steady: 4,
    first: wrongTemperatureFirst,
    drawn: wrongTemperature,
  }),
  holds: isRefused('REQ-3'),
});

export const wrongMaxTokensRefused = check({
  id: 'wrong-max-tokens-refused',
  clauses: ['REQ-4'],
  title: 'refuses a chat whose max_tokens is no whole number',
  because: TYPED,
  given: refusals({
    name: 'wrong-max-tokens',
    few: 5,
    steady: 4,
    first: wrongMaxTokensFirst,
    drawn: wrongMaxTokens,
    open: 1,
  }),
  holds: isRefused('REQ-4'),
});

export const wrongStreamRefused = check({
  id: 'wrong-stream-refused',
  clauses: ['REQ-5'],
  title: 'refuses a chat whose stream is neither true nor false',
  because: TYPED,
  given: refusals({ name: 'wrong-stream', few: 5, first: wrongStreamFirst, drawn: wrongStream }),
  holds: isRefused('REQ-5'),
});
