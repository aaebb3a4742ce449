import { z } from 'zod';
import { PHASES, UNCERTAIN_PHASES } from '../faults/catalogue/phases.ts';
import { compilePlan, refuseUnreachable } from '../faults/compile-rules.ts';
import type { FaultPlan, ArmedRule } from '../faults/fault-plan.ts';
import { FaultPlanError } from '../faults/rule.ts';
import type { Certified, Rule } from '../faults/rule.ts';
import { jsonPointer } from '../protocol/service-error.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import type { World } from '../world/world.ts';
import { ControlError, linesOf, operation } from './operation.ts';

/** Described once in the whole API document. `readPlan` checks it. */
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

interface PlannedFor {
  readonly world: World;
  readonly certified: Certified;
}

/** Compiles a plan, or one rule: as JSON, or each on a line. Throws a ControlError with the place. */
export function readPlan(words: unknown, place: string, { world, certified }: PlannedFor): readonly Rule[] {
  const given: unknown = typeof words === 'string' ? linesOf(words) : words;
  try {
    const rules = compilePlan(Array.isArray(given) ? given : [given]);
    refuseUnreachable(rules, world, certified);
    return rules;
  } catch (error) {
    if (!(error instanceof FaultPlanError)) throw error;
    const path = Array.isArray(given) ? error.path : error.path.slice(1);
    const at = `${place}${jsonPointer(path)}`;
    throw new ControlError(400, 'invalid_fault', `${at || 'the body'}: ${error.problem}`, at);
  }
}

function show(faults: FaultPlan): z.input<typeof plan> {
  const rules = faults.rules();
  return {
    rules: rules.map(showRule),
    unfired: faults.unfired().map(({ id }) => id),
    spent: rules.filter(({ over }) => over).map(({ id }) => id),
  };
}

const about = 'world';
const path = '/faults';

const read = operation({
  name: 'readFaults',
  method: 'GET',
  path,
  about,
  summary: 'Returns the fault plan: every armed rule, and how often it triggered',
  query: emptyObject,
  body: emptyObject,
  status: 200,
  answer: plan,
  run: ({ sandbox }) => show(sandbox.service.faults),
});

const add = operation({
  name: 'armFaults',
  method: 'POST',
  path,
  about,
  summary:
    'Arms one rule or a list of rules, after the armed ones; as JSON, or each on a line as for --fault',
  query: emptyObject,
  body: planSchema,
  takesText: true,
  status: 201,
  answer: armedPlan,
  run({ sandbox, body }) {
    const { faults } = sandbox.service;
    const armedNow = faults.arm(readPlan(body, '', sandbox.service));
    return { armed: armedNow.map(showRule), ...show(faults) };
  },
});

const replace = operation({
  name: 'replaceFaults',
  method: 'PUT',
  path,
  about,
  summary: 'Replaces the armed rules by one rule or a list of rules, as JSON or each on a line',
  query: emptyObject,
  body: planSchema,
  takesText: true,
  status: 200,
  answer: armedPlan,
  run({ sandbox, body }) {
    const { faults } = sandbox.service;
    const rules = readPlan(body, '', sandbox.service);
    faults.clear();
    return { armed: faults.arm(rules).map(showRule), ...show(faults) };
  },
});

const clear = operation({
  name: 'clearFaults',
  method: 'DELETE',
  path,
  about,
  summary: 'Disarms every rule',
  query: emptyObject,
  body: emptyObject,
  status: 204,
  answer: z.undefined(),
  run: ({ sandbox }) => sandbox.service.faults.clear(),
});

const remove = operation({
  name: 'disarmFault',
  method: 'DELETE',
  path: `${path}/{rule}`,
  about,
  summary: 'Disarms one rule',
  query: emptyObject,
  body: emptyObject,
  status: 204,
  answer: z.undefined(),
  run({ sandbox, named }) {
    if (!sandbox.service.faults.disarm(named))
      throw new ControlError(404, 'unknown_rule', 'No armed rule has this ID');
  },
});

export const FAULT_OPERATIONS = [read, add, replace, clear, remove];

/** An armed rule as JSON. Limits that are Infinity are left out. */
export function showRule({ id, rule, seen, fired, over }: ArmedRule): {
  id: string;
  fault: ArmedRule['rule']['fault']['fault'];
  phase: ArmedRule['rule']['phase'];
  rule: Record<string, unknown>;
  seen: number;
  fired: number;
  over: boolean;
} {
  const { fault: declared, phase, match, times, after, ttl, probability } = rule;
  const { fault, ...parameters } = declared;
  const limits = Object.entries({ times, ttl }).filter(([, value]) => Number.isFinite(value));
  const given = { fault, ...parametersOf(parameters, phase), phase, match, after, probability };
  return { id, fault, phase, rule: { ...given, ...Object.fromEntries(limits) }, seen, fired, over };
}

/** With the names of a plan: `then` for the outcome, where a plan can have one. */
function parametersOf(parameters: object, phase: ArmedRule['rule']['phase']): Record<string, unknown> {
  const isSettled = !UNCERTAIN_PHASES.includes(phase);
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || (name === 'outcome' && isSettled)) return [];
    return [[name === 'outcome' ? 'then' : name, value]];
  });
  return Object.fromEntries(pairs);
}
