import { readFile } from 'node:fs/promises';
import { explained, InputError, parsed } from '../input/input-error.ts';
import { jsonIn } from '../protocol/json.ts';
import { checkWorld } from './check-world.ts';
import { type RecordedPart, recordedPartSchema, type World } from './world-schema.ts';

/**
 * Reads a part of a world from a JSON file, or a recording, and completes it from `base`. `warn` hears a line about what
 * is left out. Throws an InputError with the path.
 */
export async function readWorld(
  path: string,
  { base, warn }: { readonly base?: World; readonly warn?: (line: string) => void } = {},
): Promise<World> {
  const text = await readText(path);
  const whole = jsonIn(text);
  return inFile(path, () => {
    const part = whole === undefined ? partOfLines(path, text, warn) : whole;
    return checkWorld(part, base).world;
  });
}

/**
 * The parts of a recording, one a line, as one: a later part says more models and answers, or says them again, and other
 * settings. A line that a write left unfinished is left out.
 */
function partOfLines(path: string, text: string, warn: (line: string) => void = () => {}): RecordedPart {
  const lines = text.split('\n').map((line, index) => ({ n: index + 1, line, value: jsonIn(line) }));
  if (lines[0]?.value === undefined) throw new InputError([], `${path}: is not JSON`);
  const unfinished = lines.filter(({ line, value }) => line.trim() !== '' && value === undefined);
  if (unfinished.length > 0)
    warn(`${path}: ignored what is not JSON, line ${unfinished.map(({ n }) => n).join(', ')}`);
  const parts = lines
    .filter(({ value }) => value !== undefined)
    .map(({ n, value }) => inFile(`${path}, line ${n}`, () => parsed(recordedPartSchema, value)));
  const models = new Map(parts.flatMap((part) => (part.models ?? []).map((model) => [model.id, model])));
  const answers = parts.flatMap((part) => part.answers ?? []);
  const byMatch = new Map(
    answers.map((answer) => [
      typeof answer === 'object' && answer.match?.request ? JSON.stringify(answer.match) : answer,
      answer,
    ]),
  );
  const settings: RecordedPart = Object.assign({}, ...parts);
  return {
    ...settings,
    ...(models.size > 0 && { models: [...models.values()] }),
    answers: [...byMatch.values()],
  };
}

/** A file may hold names of any length. */
const MOST = 500;

function inFile<Made>(path: string, make: () => Made): Made {
  return explained(
    make,
    (cause) => new InputError([], `${path}: ${cause.message.slice(0, MOST)}`, { cause }),
  );
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new InputError([], `${path}: cannot be read (${reason})`, { cause: error });
  }
}
