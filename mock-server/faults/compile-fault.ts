import type { Step } from '../protocol/service-error.ts';
import { FAULTS } from './catalogue/fault-catalogue.ts';
import { type Phase, UNCERTAIN_PHASES } from './catalogue/phases.ts';
import type { Fault, LostRequestOutcome } from './fault.ts';
import type { ParsedRule } from './rule-schema.ts';
import { FaultPlanError } from './rule.ts';

/** The fault of a rule. Throws a FaultPlanError for parameters that do not go together. */
export function compileFault(rule: ParsedRule, phase: Phase, path: readonly Step[]): Fault {
  const { fault, ms, then } = rule;
  const names = Object.keys(FAULTS[fault].parameters).filter((name) => name !== 'then');
  const values = Object.fromEntries(names.map((name) => [name, rule[name] ?? null]));
  const isLate = fault === 'timeout' && ms !== undefined;
  if (isLate && then !== undefined)
    throw new FaultPlanError([...path, 'then'], 'not beside ms: a request that is answered late completes');
  const isLost = 'then' in FAULTS[fault].parameters && !isLate;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of the same parameters made the values
  return { fault, ...values, ...(isLost && { outcome: outcomeOf(then, phase, path) }) } as Fault;
}

function outcomeOf(
  then: LostRequestOutcome | undefined,
  phase: Phase,
  path: readonly Step[],
): LostRequestOutcome {
  if (then === undefined || UNCERTAIN_PHASES.includes(phase)) return then ?? 'review';
  throw new FaultPlanError(
    [...path, 'then'],
    `nothing is uncertain at ${phase}; possible at ${UNCERTAIN_PHASES.join(', ')}`,
  );
}
