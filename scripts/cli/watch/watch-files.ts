import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { watch } from 'chokidar';
import { RUNS_FOLDER } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';

/** Folders that hold no sources of a service, wherever they are. */
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', RUNS_FOLDER]);

/** An editor, or a change of branch, writes several files at once. The watcher hides a second change for 50 ms. */
const TOGETHER_MS = 60;

/**
 * Calls `onChange` with the files that changed below these paths, without those that git ignores, unless a path names the
 * file, and those of the reports (`own`). Resolves, once it sees every change, to what ends it.
 * @throws {UsageError} Given a path that does not exist.
 */
export async function watchFiles(
  paths: readonly string[],
  own: string | undefined,
  onChange: (files: readonly string[]) => void,
): Promise<() => Promise<void>> {
  const watched = new Map(paths.map((path) => [resolve(path), folderOf(path)]));
  const ignored = new Set(own === undefined ? [] : [resolve(own)]);
  for (const folder of watched.values())
    for (const path of await ignoredIn(folder, await untrackedIn(folder))) ignored.add(path);
  const watcher = watch([...watched.keys()], {
    ignoreInitial: true,
    ignored: (path) => !watched.has(path) && (NEVER.has(basename(path)) || ignored.has(resolve(path))),
  });
  const contents = new Contents();
  const changed = new Set<string>();
  const deliver = async (): Promise<void> => {
    const all = [...changed];
    changed.clear();
    const silent = new Set<string>();
    for (const folder of watched.values()) {
      const inside = all.filter((path) => !watched.has(path) && path.startsWith(folder + sep));
      for (const path of await ignoredIn(folder, inside)) silent.add(path);
    }
    const files = await contents.changed(all.filter((path) => !silent.has(path)));
    if (files.length > 0) onChange(files);
  };
  for (const kind of ['add', 'change', 'unlink'] as const)
    watcher.on(kind, (file) => {
      // Files that never rest put nothing off.
      if (changed.size === 0) setTimeout(() => void deliver(), TOGETHER_MS);
      changed.add(resolve(file));
    });
  // A file that cannot be watched is none that changes.
  watcher.on('error', () => {});
  await once(watcher, 'ready');
  return () => watcher.close();
}

/** The folder that a path is, or in which it stands. */
function folderOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) throw new UsageError(`there is no ${path} to watch`);
  return resolve(file.isDirectory() ? path : dirname(path));
}

const MOST_BYTES = 4 * 1024 * 1024;

/** What each file held when it last changed: what a build writes anew, or an editor for a moment, is no change. */
class Contents {
  readonly #last = new Map<string, string>();

  async changed(paths: readonly string[]): Promise<readonly string[]> {
    const files: string[] = [];
    for (const path of paths) {
      const before = this.#last.get(path);
      const now = await contentOf(path);
      this.#last.set(path, now);
      if (now !== before) files.push(relative(process.cwd(), path));
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
    return 'absent';
  }
}

/** What git may ignore in a folder: also folders that it does not ignore, and whose files it ignores by chance. */
function untrackedIn(folder: string): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  return namesFromGit(folder, args, []);
}

/** Those of the paths below a folder that git ignores. */
async function ignoredIn(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  return paths.length === 0 ? [] : namesFromGit(folder, ['check-ignore', '-z', '--stdin'], paths);
}

/** The whole paths that git prints; none where there is no git or no repository. */
async function namesFromGit(
  folder: string,
  args: readonly string[],
  input: readonly string[],
): Promise<readonly string[]> {
  const git = spawn('git', args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  git.on('error', () => {});
  git.stdin.on('error', () => {});
  git.stdin.end(input.map((path) => `${path}\0`).join(''));
  const printed = await text(git.stdout);
  return printed.split('\0').flatMap((name) => (name === '' ? [] : resolve(folder, name)));
}
