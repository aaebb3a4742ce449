import { readFile } from 'node:fs/promises';

import { completeWorld } from './complete-world.ts';
import type { World } from './world.ts';
import { type WorldProblem, worldProblems } from './world-problems.ts';
import { type WorldFile, worldFileSchema } from './world-schema.ts';

/** A world file that cannot be served. Its message is one line: the file, the place, what is wrong. */
class WorldFileError extends Error {
  override readonly name = 'WorldFileError';
}

/** Reads a world from a JSON file, completed from the built-in world. Throws a WorldFileError. */
export async function readWorldFile(path: string): Promise<World> {
  const world = completeWorld(parseWorldFile(path, await readText(path)));
  refuseIfAny(path, worldProblems(world));
  return world;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new WorldFileError(`${path}: cannot be read (${reason})`, { cause: error });
  }
}

function parseWorldFile(path: string, text: string): WorldFile {
  const parsed = worldFileSchema.safeParse(parseJson(path, text));
  if (parsed.success) return parsed.data;
  refuseIfAny(
    path,
    parsed.error.issues.map((issue) => ({ pointer: pointer(issue.path), message: issue.message })),
  );
  throw new WorldFileError(`${path}: is no world`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's words quote the text, which may hold keys.
    throw new WorldFileError(`${path}: is not JSON`, { cause: error });
  }
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function refuseIfAny(path: string, [first, ...others]: readonly WorldProblem[]): void {
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const place = first.pointer === '' ? 'the root' : first.pointer;
  throw new WorldFileError(`${path}: ${place}: ${first.message}${more}`);
}
