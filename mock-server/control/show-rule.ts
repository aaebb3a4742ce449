import { UNCERTAIN_PHASES } from '../faults/phases.ts';
import type { ArmedRule } from '../faults/fault-plan.ts';

/** An armed rule for JSON, which has no Infinity: what is never, or always, is absent. */
export function showRule({ id, rule, seen, fired, over }: ArmedRule): {
  id: string;
  fault: ArmedRule['rule']['trouble']['fault'];
  phase: ArmedRule['rule']['phase'];
  rule: Record<string, unknown>;
  seen: number;
  fired: number;
  over: boolean;
} {
  const { trouble, phase, match, times, after, ttl, probability } = rule;
  const { fault, ...parameters } = trouble;
  const limits = Object.entries({ times, ttl }).filter(([, value]) => Number.isFinite(value));
  const given = { fault, ...named(parameters, phase), phase, match, after, probability };
  return { id, fault, phase, rule: { ...given, ...Object.fromEntries(limits) }, seen, fired, over };
}

/** As a plan spells them: `then` for the outcome, where there is one, and nothing for what is absent. */
function named(parameters: object, phase: ArmedRule['rule']['phase']): Record<string, unknown> {
  const isSettled = !UNCERTAIN_PHASES.includes(phase);
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || (name === 'outcome' && isSettled)) return [];
    return [[name === 'outcome' ? 'then' : name, value]];
  });
  return Object.fromEntries(pairs);
}
