import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MOST_OUTPUT = 64 * 1024 * 1024;

/** What git ignores now below these files and folders, as whole paths; nothing where there is no git or no repository. */
export async function ignoredPaths(watched: readonly string[]): Promise<ReadonlySet<string>> {
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
export async function withoutIgnored(paths: readonly string[]): Promise<readonly string[]> {
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
