import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { watch } from 'chokidar';
import { RUNS_FOLDER } from '../reports/run-folders.ts';
import { UsageError } from '../terminal/exit.ts';
import { ignoredPaths, withoutIgnored } from './git-ignored.ts';

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
