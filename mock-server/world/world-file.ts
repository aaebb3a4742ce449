import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { withTextsOfFiles } from '../answers/answer-files.ts';
import type { AnswerWords } from '../answers/answer-schema.ts';
import { jsonPointer } from '../protocol/service-error.ts';
import { RuleError } from '../rules/rule-error.ts';
import { checkWorld, type WorldContext, WorldError } from './check-world.ts';
import { type Problem, problemsIn } from './closed-object.ts';
import { type RecordedPart, recordedPartSchema, worldPartSchema } from './world-schema.ts';
import type { World } from './world.ts';

/**
 * Reads a part of a world from a JSON file, or a recording, and completes it from `base`. `warn` hears a line about what
 * is left out. Throws a JsonFileError.
 */
export async function readWorld(
  path: string,
  { base, warn }: { readonly base?: World; readonly warn?: (line: string) => void } = {},
): Promise<World> {
  const text = await readText(path);
  const whole = parsed(text);
  const part = whole === undefined ? partOfLines(path, text, warn) : checked(path, whole, worldPartSchema);
  return worldOf(path, part, { base });
}

/** The world of a part in a file, at a place in the file. Throws a JsonFileError. */
export async function worldOf(
  path: string,
  part: z.output<typeof worldPartSchema>,
  context: WorldContext = {},
): Promise<World> {
  const answers = part.answers && (await readAnswerTexts(path, part.answers, context.place));
  try {
    return checkWorld({ ...part, ...(answers && { answers }) }, context).world;
  } catch (error) {
    throw error instanceof WorldError ? fileError(path, error.problems) : error;
  }
}

/** Reads a recording as it stands, to which parts will be added, one a line. Throws a JsonFileError. */
export async function readRecording(path: string, warn: (line: string) => void): Promise<RecordedPart> {
  const text = await readText(path);
  if (parsed(text) !== undefined && text.trim().includes('\n'))
    throw new JsonFileError(
      `${path}: is a world of several lines, which cannot grow; jq -c . FILE > NEW.ndjson makes one line of it`,
    );
  return partOfLines(path, text, warn);
}

/**
 * The parts of a recording, one a line, as one: a later part says more models and answers, and other settings. A line that
 * a write left unfinished is left out.
 */
function partOfLines(path: string, text: string, warn: (line: string) => void = () => {}): RecordedPart {
  const lines = text.split('\n').map((line, index) => ({ n: index + 1, line, value: parsed(line) }));
  if (lines[0]?.value === undefined) throw new JsonFileError(`${path}: is not JSON`);
  const unfinished = lines.filter(({ line, value }) => line.trim() !== '' && value === undefined);
  if (unfinished.length > 0)
    warn(`${path}: left out what is no JSON, line ${unfinished.map(({ n }) => n).join(', ')}`);
  const parts = lines.flatMap(({ n, value }) =>
    value === undefined ? [] : [checked(`${path}, line ${n}`, value, recordedPartSchema)],
  );
  const models = new Map(parts.flatMap((part) => (part.models ?? []).map((model) => [model.id, model])));
  const answers = parts.flatMap((part) => part.answers ?? []);
  const settings: RecordedPart = Object.assign({}, ...parts);
  return { ...settings, ...(models.size > 0 && { models: [...models.values()] }), answers };
}

/** With the texts of the files that chosen answers name, from the folder of this file. Throws a JsonFileError. */
export async function readAnswerTexts(
  path: string,
  answers: readonly AnswerWords[],
  pointer = '',
): Promise<AnswerWords[]> {
  try {
    return await withTextsOfFiles(answers, dirname(path));
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const place = `${pointer}/answers${jsonPointer(error.path)}`;
    throw fileError(path, [{ pointer: place, message: error.problem }]);
  }
}

/** A file that cannot be used. Its message is one line: the file, the place, and the problem. */
class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
}

export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const value = parsed(await readText(path));
  // The parser's message would quote the text, which may contain keys.
  if (value === undefined) throw new JsonFileError(`${path}: is not JSON`);
  return checked(path, value, schema);
}

function checked<Schema extends z.ZodType>(path: string, value: unknown, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw fileError(path, problemsIn(result.error));
}

/** A file may hold names of any length, and any number of them. */
const LONGEST = 500;

/** The error for the problems in a file. Its message describes the first. */
function fileError(path: string, [first, ...others]: readonly Problem[]): Error {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const place = first === undefined || first.pointer === '' ? 'the root' : first.pointer;
  const problem = `${place}: ${first?.message ?? 'is wrong'}`;
  return new JsonFileError(`${path}: ${problem.slice(0, LONGEST)}${more}`);
}

/** A recording of many paid answers is smaller. */
const LARGEST = 256 * 1024 * 1024;

/** A pipe that nobody writes would be waited for, and a device read without end. */
async function readText(path: string): Promise<string> {
  try {
    const file = await stat(path);
    if (!file.isDirectory() && (!file.isFile() || file.size > LARGEST))
      throw new JsonFileError(`${path}: is no file of at most ${LARGEST / 1024 / 1024} MiB`);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof JsonFileError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new JsonFileError(`${path}: cannot be read (${reason})`, { cause: error });
  }
}

/** Undefined: it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
