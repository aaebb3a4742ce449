import {
  CONVENTIONAL_WORLD,
  pairedWorlds,
  SECOND_SERVICE_WORLD,
  VARIANT_WORLDS,
} from './variants/variant-worlds.ts';
import { ADVERSARY_WORLDS } from './adversaries/adversary-worlds.ts';
import { DEFECT_WORLDS, FAITHFUL_MOCK } from './mock-worlds.ts';
import type { ProvedWorld } from './proved-world.ts';
import { SECOND_DEFECT_WORLDS } from './second-worlds.ts';

/** Every world of which it is known what the suites have to say. */
export const WORLDS: readonly ProvedWorld[] = [
  ...DEFECT_WORLDS,
  ...SECOND_DEFECT_WORLDS,
  ...ADVERSARY_WORLDS,
  FAITHFUL_MOCK,
  SECOND_SERVICE_WORLD,
  CONVENTIONAL_WORLD,
  ...VARIANT_WORLDS,
  ...pairedWorlds(),
];
