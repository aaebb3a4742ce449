import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, relative, resolve, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { watch } from 'chokidar';
import { RUNS_FOLDER } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import type { ChangedFile } from './data-files.ts';

export interface FileWatch {
  readonly close: () => Promise<void>;
}

/** Folders that hold no sources of a service, wherever they are. */
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', RUNS_FOLDER]);

/** An editor, or a change of branch, writes several files at once. The watcher hides a second change for 50 ms. */
const TOGETHER_MS = 60;

/**
 * Calls `onChange` with the files that changed below these paths, without those that git ignores, unless a path names the
 * file, and those of the reports (`own`). Resolves once it sees every change.
 * @throws {UsageError} Given a path that does not exist.
 */
export async function watchFiles(
  paths: readonly string[],
  own: string | undefined,
  onChange: (files: readonly ChangedFile[]) => void,
): Promise<FileWatch> {
  const watched = paths.map((path) => resolve(path));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no ${missing} to watch`);
  const ignored = new Set([...(await ignoredPaths(watched)), ...(own === undefined ? [] : [resolve(own)])]);
  const watcher = watch(watched, {
    ignoreInitial: true,
    ignored: (path) => !watched.includes(path) && (NEVER.has(basename(path)) || ignored.has(resolve(path))),
  });
  const contents = new Contents();
  const batch = batched(async (changed) => {
    const unnamed = changed.filter((path) => !watched.includes(path));
    const silent = await ignoredAmong(unnamed);
    const files = await contents.changed(changed.filter((path) => !silent.has(path)));
    if (files.length > 0) onChange(files);
  });
  for (const kind of ['add', 'change', 'unlink'] as const) watcher.on(kind, batch);
  // A file that cannot be watched is none that changes.
  watcher.on('error', () => {});
  await once(watcher, 'ready');
  for (const [folder, inside] of Object.entries(watcher.getWatched()))
    for (const name of inside) contents.atStart.add(join(folder, name));
  return { close: () => watcher.close() };
}

/** Hands over together what changes together. */
function batched(deliver: (files: readonly string[]) => Promise<void>): (file: string) => void {
  const files = new Set<string>();
  const flush = (): void => {
    const changed = [...files];
    files.clear();
    void deliver(changed);
  };
  return (file) => {
    // What never rests puts nothing off.
    if (files.size === 0) setTimeout(flush, TOGETHER_MS);
    files.add(resolve(file));
  };
}

const ABSENT = 'absent';
const MOST_BYTES = 4 * 1024 * 1024;

/** What each file held when it last changed: what a build writes anew, or an editor for a moment, is no change. */
class Contents {
  readonly atStart = new Set<string>();
  readonly #last = new Map<string, string>();

  async changed(paths: readonly string[]): Promise<readonly ChangedFile[]> {
    const files: ChangedFile[] = [];
    for (const path of paths) {
      const wasThere = this.atStart.has(path);
      const before = this.#last.get(path) ?? (wasThere ? undefined : ABSENT);
      const now = await contentOf(path);
      this.#last.set(path, now);
      if (now !== before) files.push({ path: relative(process.cwd(), path), wasThere });
    }
    return files;
  }
}

/** What stands for the content of a file; of a large one, when it was written. */
async function contentOf(path: string): Promise<string> {
  try {
    const file = await stat(path);
    if (!file.isFile() || file.size > MOST_BYTES) return String(file.mtimeMs);
    return createHash('sha256')
      .update(await readFile(path))
      .digest('base64');
  } catch {
    return ABSENT;
  }
}

const run = promisify(execFile);

const MOST_OUTPUT = 64 * 1024 * 1024;

/** What git ignores now below these files and folders, as whole paths; nothing where there is no git or no repository. */
async function ignoredPaths(watched: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(watched.map(ignoredIn));
  return new Set(found.flat());
}

async function ignoredIn(watched: string): Promise<readonly string[]> {
  const folder = folderOf(watched);
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  try {
    const { stdout } = await run('git', args, { cwd: folder, maxBuffer: MOST_OUTPUT });
    return names(stdout).map((name) => resolve(folder, name));
  } catch {
    return [];
  }
}

/** Those of the paths that git ignores, which may have been made since the watch began; none without git. */
async function ignoredAmong(paths: readonly string[]): Promise<ReadonlySet<string>> {
  const [first] = paths;
  if (first === undefined) return new Set();
  const git = spawn('git', ['check-ignore', '-z', '--stdin'], {
    cwd: folderOf(dirname(first)),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  git.stdin.on('error', () => {});
  const ended = once(git, 'close').catch(() => {});
  git.stdin.end(paths.map((path) => `${path}\0`).join(''));
  const ignored = new Set(names(await text(git.stdout)));
  await ended;
  return ignored;
}

function names(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}

/** A folder that exists: the path itself, or the nearest one above it. */
function folderOf(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  const parent = join(path, '..');
  return parent === path ? path : folderOf(parent);
}
