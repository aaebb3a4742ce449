import { z } from 'zod';
import { PHASES, UNCERTAIN_PHASES } from '../faults/catalogue/phases.ts';
import { compilePlan, refuseUnreachable } from '../faults/compile-rules.ts';
import type { Rule } from '../faults/rule.ts';
import type { ArmedRule } from '../rules/rule-plan.ts';
import type { Service } from '../sandboxes/service.ts';
import { closedObject } from '../world/closed-object.ts';
import { compileRules, planOperations } from './plan-operations.ts';

/** Described once in the whole API document. `compileFaultPlan` checks it. */
export const planSchema = z.unknown().meta({ $ref: '#/components/schemas/FaultPlan' });

const armed = closedObject({
  id: z.string(),
  fault: z.string(),
  phase: z.enum(PHASES),
  rule: z.record(z.string(), z.unknown()).describe('The whole rule, in a form that can be armed again'),
  seen: z.int().describe('Matching requests that reached it'),
  fired: z.int(),
  over: z.boolean().describe('It cannot trigger any more'),
});
const plan = closedObject({
  rules: z.array(armed).describe('Every rule, in the order in which they are matched'),
  unfired: z.array(z.string()).describe('IDs of the rules that never triggered'),
  spent: z.array(z.string()).describe('IDs of the rules that cannot trigger any more'),
});
const armedPlan = closedObject({
  armed: z.array(armed).describe('What this request armed'),
  ...plan.shape,
});

/** Compiles a plan, or one rule. Throws a ControlError with the place. */
export function compileFaultPlan(
  words: unknown,
  place: string,
  { world, certified }: Pick<Service, 'world' | 'certified'>,
): readonly Rule[] {
  return compileRules(words, { place, code: 'invalid_fault' }, (list) => {
    const rules = compilePlan(list);
    refuseUnreachable(rules, world, certified);
    return rules;
  });
}

function show({ faults }: Service): z.input<typeof plan> {
  const rules = faults.rules();
  return {
    rules: rules.map(showRule),
    unfired: faults.unfired().map(({ id }) => id),
    spent: rules.filter(({ over }) => over).map(({ id }) => id),
  };
}

export const FAULT_OPERATIONS = planOperations({
  path: '/faults',
  read: {
    name: 'readFaults',
    summary: 'Returns the fault plan: every armed rule, and how often it triggered',
  },
  add: {
    name: 'armFaults',
    summary:
      'Arms one rule or a list of rules, after the armed ones; as JSON, or each on a line as for --fault',
  },
  replace: {
    name: 'replaceFaults',
    summary: 'Replaces the armed rules by one rule or a list of rules, as JSON or each on a line',
  },
  clear: { name: 'clearFaults', summary: 'Disarms every rule' },
  remove: { name: 'disarmFault', summary: 'Disarms one rule' },
  unknown: 'No armed rule has this ID',
  rules: planSchema,
  shown: plan,
  armed: armedPlan,
  of: ({ faults }) => faults,
  compile: compileFaultPlan,
  show,
  arm(service, rules) {
    const armedNow = service.faults.arm(rules);
    return { armed: armedNow.map(showRule), ...show(service) };
  },
});

/** An armed rule as JSON. Limits that are Infinity are left out. */
export function showRule({ id, rule, seen, fired, over }: ArmedRule<Rule>): z.input<typeof armed> {
  const { fault: declared, phase, match, times, after, ttl, probability } = rule;
  const { fault, ...parameters } = declared;
  const limits = Object.entries({ times, ttl }).filter(([, value]) => Number.isFinite(value));
  const given = { fault, ...parametersOf(parameters, phase), phase, match, after, probability };
  return { id, fault, phase, rule: { ...given, ...Object.fromEntries(limits) }, seen, fired, over };
}

/** With the names of a plan: `then` for the outcome, where a plan can have one. */
function parametersOf(parameters: object, phase: Rule['phase']): Record<string, unknown> {
  const isSettled = !UNCERTAIN_PHASES.includes(phase);
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || (name === 'outcome' && isSettled)) return [];
    return [[name === 'outcome' ? 'then' : name, value]];
  });
  return Object.fromEntries(pairs);
}
