import { existsSync } from 'node:fs';
import type { PastRun } from '../../../suites/engine/model/summary.ts';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import { writeWhole } from '../terminal/write-file.ts';

/** How many runs of a target a history keeps: a line for each. */
const MOST = 50;

/** How many of them a report shows. */
const SHOWN = 30;

/** The runs of a history, the oldest first. Drops each line that cannot be read: a history is a convenience. */
async function readHistory(file: string): Promise<readonly PastRun[]> {
  if (!existsSync(file)) return [];
  // Heavy, and the first run of a target reads no history.
  const { pastRunSchema } = await import('../../../suites/engine/model/summary.ts');
  const lines = readText(file).split('\n');
  return lines.flatMap((line) => {
    try {
      return pastRunSchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
}

/** Adds a run, and drops the oldest of its target. Returns the latest runs of the target, this one last. */
export async function addToHistory(file: string, run: PastRun): Promise<readonly PastRun[]> {
  const before = await readHistory(file);
  const own = [...before.filter(({ target }) => target === run.target), run].slice(-MOST);
  const others = before.filter(({ target }) => target !== run.target);
  writeWhole(file, [...others, ...own].map((each) => `${JSON.stringify(each)}\n`).join(''));
  return own.slice(-SHOWN);
}
