import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { basename, relative, resolve, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { watch } from 'chokidar';
import { RUNS_FOLDER } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';

export interface FileWatch {
  readonly close: () => Promise<void>;
}

/** Folders that hold no sources of a service, wherever they are. */
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', RUNS_FOLDER]);

/** An editor, or a change of branch, writes several files at once. */
const TOGETHER_MS = 40;

/**
 * Calls `onChange` with the files that changed below these paths, relative to the working directory, without those that
 * git ignores and those of the reports (`own`). Resolves once it sees every change.
 * @throws {UsageError} Given a path that does not exist.
 */
export async function watchFiles(
  paths: readonly string[],
  own: readonly string[],
  onChange: (files: readonly string[]) => void,
): Promise<FileWatch> {
  const watched = paths.map((path) => resolve(path));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`there is no ${missing} to watch`);
  const ignored = new Set([...(await ignoredPaths(watched)), ...own.map((path) => resolve(path))]);
  const watcher = watch(watched, {
    ignoreInitial: true,
    ignored: (path) => NEVER.has(basename(path)) || ignored.has(resolve(path)),
  });
  const batch = batched((files) => onChange(files.map((file) => relative(process.cwd(), file))));
  for (const kind of ['add', 'change', 'unlink'] as const) watcher.on(kind, batch);
  // A file that cannot be watched is none that changes.
  watcher.on('error', () => {});
  await once(watcher, 'ready');
  return { close: () => watcher.close() };
}

/** Hands over together what changes together, where git does not ignore it. */
function batched(deliver: (files: readonly string[]) => void): (file: string) => void {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    const changed = [...files];
    files.clear();
    const wanted = await withoutIgnored(changed);
    if (wanted.length > 0) deliver(wanted);
  };
  return (file) => {
    files.add(resolve(file));
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), TOGETHER_MS);
  };
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

/** The paths that git does not ignore: what is ignored may have been made since. All of them without git. */
async function withoutIgnored(paths: readonly string[]): Promise<readonly string[]> {
  const [first] = paths;
  if (first === undefined) return [];
  const git = spawn('git', ['check-ignore', '-z', '--stdin'], {
    cwd: folderOf(dirname(first)),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  git.stdin.on('error', () => {});
  const ended = once(git, 'close').catch(() => {});
  git.stdin.end(paths.map((path) => `${path}\0`).join(''));
  const ignored = new Set(names(await text(git.stdout)));
  await ended;
  return paths.filter((path) => !ignored.has(path));
}

function names(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}

/** A folder that exists: the path itself, or the nearest one above it. */
function folderOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return path;
  const parent = join(path, '..');
  return parent === path ? path : folderOf(parent);
}
