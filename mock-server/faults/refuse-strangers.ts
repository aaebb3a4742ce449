import { FAULT_MODEL_PREFIX } from './fault-catalogue.ts';
import type { World } from '../world/world.ts';
import { FaultPlanError } from './fault-plan-error.ts';
import type { Rule } from './rule.ts';

/**
 * Refuses the first rule that is for a key or a model of which its world knows nothing, since it could never strike.
 * Throws a FaultPlanError with the place, which begins with the rule's index, and the names that are known.
 */
export function refuseUnknownNames(rules: readonly Rule[], { keys, models }: World): void {
  const keyNames = keys.map(({ name }) => name);
  const modelIds = models.map(({ id }) => id);
  for (const [index, { match }] of rules.entries()) {
    refuse([index, 'match', 'key'], match.key, keyNames);
    if (match.model?.startsWith(FAULT_MODEL_PREFIX) !== true)
      refuse([index, 'match', 'model'], match.model, modelIds);
  }
}

function refuse(path: readonly [number, 'match', string], given: string | undefined, known: string[]): void {
  if (given === undefined || known.includes(given)) return;
  const [, , what] = path;
  throw new FaultPlanError(path, `no ${what} of this world; it has ${known.join(', ')}`);
}
