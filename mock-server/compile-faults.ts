import { compileRule } from './faults/compile-plan.ts';
import { parseFault } from './faults/parse-fault.ts';
import type { Rule } from './faults/rule.ts';

/** A rule as a line, `gateway_failure phase=after-debit times=1`, or as an object, `{ fault: 'timeout', ms: 50 }`. */
export type FaultWords = string | { readonly fault: string; readonly [field: string]: unknown };

/** The rules, in order. Throws a FaultPlanError that names the place; the first step of it is the rule's index. */
export function compileFaults(faults: readonly FaultWords[]): readonly Rule[] {
  return faults.map((words, index) =>
    compileRule(typeof words === 'string' ? parseFault(words) : words, [index]),
  );
}
