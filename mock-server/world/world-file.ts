import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readAnswers } from '../answers/answer-schema.ts';
import { InputError, parsed, within } from '../input/input-error.ts';
import { checkWorld } from './check-world.ts';
import {
  type RecordedPart,
  recordedPartSchema,
  type WorldPart,
  worldPartSchema,
  type World,
} from './world-schema.ts';

/**
 * Reads a part of a world from a JSON file, or a recording, and completes it from `base`. `warn` hears a line about what
 * is left out. Throws a JsonFileError.
 */
export async function readWorld(
  path: string,
  { base, warn }: { readonly base?: World; readonly warn?: (line: string) => void } = {},
): Promise<World> {
  const text = await readText(path);
  const whole = jsonIn(text);
  return inFile(path, () => {
    const part = whole === undefined ? partOfLines(path, text, warn) : parsed(worldPartSchema, whole);
    return worldOf(part, dirname(path), base);
  });
}

/** The world of a part, whose chosen answers may name files of a folder. Throws an InputError. */
export function worldOf(part: WorldPart, folder: string, base?: World): World {
  const { answers } = part;
  if (answers === undefined) return checkWorld(part, base).world;
  return checkWorld({ ...part, answers: within(['answers'], () => readAnswers(answers, folder)) }, base)
    .world;
}

/** Reads a recording as it stands, to which parts will be added, one a line. Throws a JsonFileError. */
export async function readRecording(path: string, warn: (line: string) => void): Promise<RecordedPart> {
  const text = await readText(path);
  if (jsonIn(text) !== undefined && text.trim().includes('\n'))
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
  const lines = text.split('\n').map((line, index) => ({ n: index + 1, line, value: jsonIn(line) }));
  if (lines[0]?.value === undefined) throw new JsonFileError(`${path}: is not JSON`);
  const unfinished = lines.filter(({ line, value }) => line.trim() !== '' && value === undefined);
  if (unfinished.length > 0)
    warn(`${path}: left out what is no JSON, line ${unfinished.map(({ n }) => n).join(', ')}`);
  const parts = lines.flatMap(({ n, value }) =>
    value === undefined ? [] : [inFile(`${path}, line ${n}`, () => parsed(recordedPartSchema, value))],
  );
  const models = new Map(parts.flatMap((part) => (part.models ?? []).map((model) => [model.id, model])));
  const answers = parts.flatMap((part) => part.answers ?? []);
  const settings: RecordedPart = Object.assign({}, ...parts);
  return { ...settings, ...(models.size > 0 && { models: [...models.values()] }), answers };
}

/** A file that cannot be used. Its message is one line: the file, the place, and the problem. */
class JsonFileError extends Error {
  override readonly name = 'JsonFileError';
}

/** What `read` makes of the JSON in a file. Throws a JsonFileError in place of an InputError. */
export async function readJsonFile<Made>(path: string, read: (value: unknown) => Made): Promise<Made> {
  const value = jsonIn(await readText(path));
  // The parser's message would quote the text, which may contain keys.
  if (value === undefined) throw new JsonFileError(`${path}: is not JSON`);
  return inFile(path, () => read(value));
}

/** A file may hold names of any length. */
const LONGEST = 500;

function inFile<Made>(path: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new JsonFileError(`${path}: ${error.message.slice(0, LONGEST)}`, { cause: error });
  }
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
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
