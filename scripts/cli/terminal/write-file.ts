import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { errorCode } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from './exit.ts';

/** What is written holds prompts, which no other user of the machine is to read. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Writes a file atomically, in one text or many: a reader sees the whole file or none. */
export function writeWhole(file: string, text: string | Iterable<string>): void {
  const unfinished = freshName(file);
  try {
    const fd = openSync(unfinished, 'wx', PRIVATE_FILE);
    try {
      for (const part of typeof text === 'string' ? [text] : text) writeFileSync(fd, part);
    } finally {
      closeSync(fd);
    }
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** A name beside a file that nobody can foresee: what is made under it, exclusively, follows no link. */
function freshName(file: string): string {
  return `${file}.${randomUUID()}.tmp`;
}

/** Moves a file out of the way, if it is there, and returns its new name: with the time at which it was last written. */
export function setAside(file: string): string | undefined {
  const written = statSync(file, { throwIfNoEntry: false })?.mtime;
  if (written === undefined) return undefined;
  const { name, ext } = parse(file);
  const time = written.toISOString().replaceAll(':', '-');
  for (let n = 1; ; n += 1) {
    const aside = join(dirname(file), `${name}-${time}${n === 1 ? '' : `-${n}`}${ext}`);
    if (existsSync(aside)) continue;
    renameSync(file, aside);
    return aside;
  }
}

/** Makes a folder and those above it, one level at a time: Node never returns from a recursive mkdir below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder, PRIVATE_FOLDER);
}

/**
 * Finds out by writing beside it whether a file can be written; makes its folder. `place`: what else an error names.
 * @throws {UsageError} When it cannot.
 */
export function prepareFile(file: string, place = file): void {
  try {
    makeFolder(dirname(file));
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
      throw new UsageError(`${file} is a folder`);
    const fresh = freshName(file);
    closeSync(openSync(fresh, 'wx'));
    rmSync(fresh);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write ${place} (${errorCode(error)})`);
  }
}
