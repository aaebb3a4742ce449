import { completeWorld } from './complete-world.ts';
import { fileError, readJsonFile } from './json-file.ts';
import type { World } from './world.ts';
import { worldProblems } from './world-problems.ts';
import { worldFileSchema } from './world-schema.ts';

/** Reads a world from a JSON file, completed from the built-in world. Throws a JsonFileError. */
export async function readWorldFile(path: string): Promise<World> {
  const world = completeWorld(await readJsonFile(path, worldFileSchema));
  const problems = worldProblems(world);
  if (problems.length > 0) throw fileError(path, problems);
  return world;
}
