import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { IMAGE_SCENARIOS } from './image-scenarios.ts';
import { LOST_ANSWER_SCENARIOS } from './lost-answer-scenarios.ts';
import { REFUSAL_SCENARIOS } from './refusal-scenarios.ts';
import { type CallerScenario, textItems } from './scenario.ts';

const PLAIN_USE = {
  faithful: 'Reads the models, and sends each wish once, with an Idempotency-Key of its own.',
  clauses: ['IDEM-1', 'AUTH-3', 'CALL-4', 'CALL-5', 'CALL-7'],
  items: textItems(4).map((wish, index) => ({ ...wish, stream: index === 1 })),
  atOnce: 2,
  faults: [],
} satisfies CallerScenario;

const IN_ORDER = {
  'plain-use': PLAIN_USE,
  ...REFUSAL_SCENARIOS,
  ...LOST_ANSWER_SCENARIOS,
  ...IMAGE_SCENARIOS,
};

export type CallerScenarioName = keyof typeof IN_ORDER;

/** Everything that a caller is put through, in order. */
export const CALLER_SCENARIOS: Readonly<Record<CallerScenarioName, CallerScenario>> = IN_ORDER;

export function isCallerScenarioName(word: string): word is CallerScenarioName {
  return Object.hasOwn(CALLER_SCENARIOS, word);
}

/** The names, in order. */
export function callerScenarioNames(): readonly CallerScenarioName[] {
  return Object.keys(CALLER_SCENARIOS).filter(isCallerScenarioName);
}

/** The scenarios that can put a clause to the question. */
export function scenariosOf(clause: ClauseId): readonly CallerScenarioName[] {
  return callerScenarioNames().filter((name) => CALLER_SCENARIOS[name].clauses.includes(clause));
}
