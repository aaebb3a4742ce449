import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { withTextsOfFiles } from '../answers/answer-files.ts';
import { AnswerRuleError } from '../answers/answer-rule.ts';
import type { AnswerWords } from '../answers/answer-schema.ts';
import { jsonPointer } from '../protocol/service-error.ts';
import { readTornRecording } from './answer-lines.ts';
import { completeWorld } from './complete-world.ts';
import { worldProblems } from './world-problems.ts';
import { type WorldFile, worldFileSchema } from './world-schema.ts';
import type { World } from './world.ts';

/** Reads a world from a JSON file, completed from the built-in world. Throws a JsonFileError. `warn`: see `readJsonFile`. */
export async function readWorldFile(path: string, warn?: (line: string) => void): Promise<World> {
  const world = completeWorld(await readFilesOf(path, await readJsonFile(path, worldFileSchema, warn)));
  const problems = worldProblems(world);
  if (problems.length > 0) throw fileError(path, problems);
  return world;
}

/** With the texts of the files that chosen answers name, from the folder of this file. */
export async function readFilesOf(path: string, file: WorldFile, pointer = ''): Promise<WorldFile> {
  if (file.answers === undefined) return file;
  return { ...file, answers: await readAnswerTexts(path, file.answers, pointer) };
}

/** Throws a JsonFileError for a file that cannot be read. */
export async function readAnswerTexts(
  path: string,
  answers: readonly AnswerWords[],
  pointer = '',
): Promise<AnswerWords[]> {
  try {
    return await withTextsOfFiles(answers, dirname(path));
  } catch (error) {
    if (!(error instanceof AnswerRuleError)) throw error;
    const place = `${pointer}/answers${jsonPointer(error.path)}`;
    throw fileError(path, [{ pointer: place, message: error.problem }]);
  }
}

/** A file that cannot be used. Its message is one line: the file, the place, and the problem. */
class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
}

/** A problem in a file, and its place (RFC 6901). */
interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** `warn`: the file may be a recording whose last line was torn, which is left out with a warning. */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  warn?: (line: string) => void,
): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(parseJson(path, await readText(path), warn));
  if (parsed.success) return parsed.data;
  throw fileError(
    path,
    parsed.error.issues.map((issue) => ({ pointer: jsonPointer(issue.path), message: issue.message })),
  );
}

/** A file may hold names of any length, and any number of them. */
const LONGEST = 500;

/** The error for the problems in a file. Its message describes the first. */
export function fileError(path: string, [first, ...others]: readonly Problem[]): Error {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const place = first === undefined || first.pointer === '' ? 'the root' : first.pointer;
  const problem = `${place}: ${first?.message ?? 'is wrong'}`;
  return new JsonFileError(`${path}: ${problem.slice(0, LONGEST)}${more}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new JsonFileError(`${path}: cannot be read (${reason})`, { cause: error });
  }
}

function parseJson(path: string, text: string, warn: ((line: string) => void) | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const recording = warn && readTornRecording(text);
    if (recording !== undefined) {
      warn?.(`${path}: ignored the last line, which is incomplete`);
      return recording;
    }
    // The parser's message quotes the text, which may contain keys.
    throw new JsonFileError(`${path}: is not JSON`, { cause: error });
  }
}
