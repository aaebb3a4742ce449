import type { Invariant } from '../kit/model/invariant.ts';
import { servedChatInvariant } from '../kit/judging/served-chat-invariant.ts';
import { choicesCarryText } from './choices-carry-text.ts';
import { finishReasonReturned } from './finish-reason-returned.ts';
import { isWithinMaxTokens } from './output-within-max-tokens.ts';
import { responseHasChoices } from './response-has-choices.ts';
import { usageReturned } from './usage-returned.ts';

export const everyResponseHasChoices: Invariant = servedChatInvariant({
  id: 'every-response-has-choices',
  clauses: ['RES-1'],
  title: 'answers every chat that it serves with at least one choice, whatever its model and key',
  holds: responseHasChoices.holds,
});

export const everyChoiceCarriesText: Invariant = servedChatInvariant({
  id: 'every-choice-carries-text',
  clauses: ['RES-2'],
  title: 'puts the generated text into every choice of every response, whatever its model and key',
  holds: choicesCarryText.holds,
});

export const everyResponseSaysFinish: Invariant = servedChatInvariant({
  id: 'every-response-says-finish',
  clauses: ['RES-3'],
  title: 'says in every response why each choice finished, whatever its model and key',
  holds: finishReasonReturned.holds,
});

export const everyResponseReportsUsage: Invariant = servedChatInvariant({
  id: 'every-response-reports-usage',
  clauses: ['RES-4'],
  title: 'reports usage in every response, whatever its model and key',
  holds: usageReturned.holds,
});

export const everyOutputWithinMaxTokens: Invariant = servedChatInvariant({
  id: 'every-output-within-max-tokens',
  clauses: ['REQ-9'],
  title: 'generates no more tokens than any chat allows, whatever its model and key',
  holds: isWithinMaxTokens,
});
