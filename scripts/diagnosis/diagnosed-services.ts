import { type DefectName, defectNames } from '../../mock-server/defects/defects.ts';
import { COMBINED_DEFECTS } from '../proof/combined/combined-defects.ts';
import { SECOND_DEFECT_WORLDS } from '../proof/second-defects/second-defects.ts';
import { worldNamed } from '../proof/worlds.ts';
import { LIKE_DEFECTS } from './like-defects.ts';
import type { SymptomJob } from './symptom-run.ts';

/** The mock with each of its defects: what the signatures are made from. */
export function singleDefects(seed: number): readonly SymptomJob[] {
  return defectNames().map((name) => jobOf(name, [name], seed));
}

function jobOf(world: string, names: readonly DefectName[], seed: number): SymptomJob {
  return { world: worldNamed(world), seed, bugs: names.map((name) => [name]) };
}

/** The mock with two to six of its defects at once: which of them meet is what is new. */
export function combinedDefects(seed: number): readonly SymptomJob[] {
  return COMBINED_DEFECTS.map((names, i) => jobOf(`combined-${i + 1}`, names, seed + i));
}

/** The second service with each of its defects, which tell stories of their own: some are like one of the mock's. */
export function secondServiceDefects(seed: number): readonly SymptomJob[] {
  return SECOND_DEFECT_WORLDS.map((world) => ({ world, seed, bugs: [LIKE_DEFECTS[world.name] ?? []] }));
}
