import { compileRule } from './compile-plan.ts';
import { parseFault } from './parse-fault.ts';
import { refuseUnknownNames } from './refuse-strangers.ts';
import type { Rule } from './rule.ts';
import type { World } from '../world/world.ts';

/** A rule as a line, `gateway_failure phase=after-debit times=1`, or as an object, `{ fault: 'timeout', ms: 50 }`. */
export type FaultWords = string | { readonly fault: string; readonly [field: string]: unknown };

/**
 * The rules, in order, for a world in which each of them can strike. Throws a FaultPlanError that names the place; the
 * first step of it is the rule's index.
 */
export function compileFaults(faults: readonly FaultWords[], world: World): readonly Rule[] {
  const rules = faults.map((words, index) =>
    compileRule(typeof words === 'string' ? parseFault(words) : words, [index]),
  );
  refuseUnknownNames(rules, world);
  return rules;
}
