import { hash } from 'node:crypto';
import type { CallerScenario } from './scenarios/scenario.ts';
import { builtInWorld } from '../../mock-server/world/built-in-world.ts';
import type { Key, Model, World } from '../../mock-server/world/world.ts';

function word(seed: number, scenario: string, what: string, length: number): string {
  return hash('sha256', `${seed}\n${scenario}\n${what}`, 'hex').slice(0, length);
}

/**
 * The built-in world with model IDs and keys of its own for each seed and scenario: whoever uses one of them has
 * read it here, and a key that turns up somewhere came from here.
 */
export function callerWorld(seed: number, name: string, { vision = true }: CallerScenario): World {
  const suffix = word(seed, name, 'models', 6);
  const renamed = (id: string): string => id.replace(/-\d+$/, `-${suffix}`);
  const models = builtInWorld.models.map((model): Model => ({
    ...model,
    id: renamed(model.id),
    vision: vision && model.vision === true,
  }));
  const keys = builtInWorld.keys.map((key): Key => {
    const own = { ...key, key: `mock-${word(seed, name, key.name, 40)}` };
    return key.models === undefined ? own : { ...own, models: key.models.map(renamed) };
  });
  return { ...builtInWorld, models, keys };
}
