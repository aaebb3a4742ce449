import { join, relative } from 'node:path';
import { resolveFlags } from '../config/resolve-flags.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { EXIT, interruptible, UsageError } from '../terminal/exit.ts';
import { noteLine, openPage } from '../terminal/output.ts';
import { isSource } from './source-names.ts';
import { watchFiles } from './watch-files.ts';
import { WatchSession } from './watch-session.ts';

/** @throws {UsageError} Given what only a single run can do. */
function rejectSingle(flags: ResolvedFlags): void {
  const { plan, json, shard, writeBaseline, baseUrl } = flags;
  const single = { '--plan': plan, '--json': json, '--shard': shard, '--write-baseline': writeBaseline };
  const [name] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--watch and ${name} exclude each other`);
  if (baseUrl !== undefined) return;
  rejectMissingTarget(flags, process.env);
  throw new UsageError('--watch requires --base-url: it is where the service answers');
}

/**
 * `chat-conformance --watch`: checks, and checks again on every change, until the user quits; sets the exit code of the
 * latest round.
 * @throws {UsageError} Before anything is sent or started.
 */
export async function runWatchCommand(given: CheckFlags): Promise<void> {
  const flags = await resolveFlags(given);
  rejectSingle(flags);
  const session = new WatchSession(flags);
  const onChange = flags.lastFailed === true ? 'failed' : 'all';
  const paths = Array.isArray(given.watch) ? given.watch : flags.watchPaths;
  const begins = paths === undefined ? isOf(flags) : (): boolean => true;
  const endWatch = await watchFiles(paths ?? ['.'], flags.report, (changed) => {
    const begin = changed.filter(begins);
    if (begin.length === 0) return;
    noteLine(`\nchanged: ${begin.join(' ')}`);
    session.request(onChange);
  });
  const releaseKeys = readKeys(session);
  const { signal, release } = interruptible(() => session.request('quit'));
  try {
    await session.rounds(onChange, `waiting for changes${process.stdin.isTTY ? ` · ${KEYS_LINE}` : ''}`);
  } finally {
    releaseKeys();
    await endWatch();
    release();
  }
  process.exitCode = signal.aborted ? EXIT.interrupted : session.code;
}

/** Of the whole working directory, sources begin rounds, and the files that a round reads itself. */
function isOf({ profile, baseline }: CheckFlags): (path: string) => boolean {
  const named = [profile, baseline].filter((path) => path !== undefined);
  const read = new Set(named.map((path) => relative(process.cwd(), path)));
  return (path) => read.has(path) || isSource(path);
}

const KEYS_LINE = 'f failed only · a all · r again · o open the report · q quit';

/** Reads single keys from a terminal, if there is one. Returns how to give it back. */
function readKeys(session: WatchSession): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const quit = (): void => session.request('quit');
  const actions: Readonly<Record<string, () => void>> = {
    f: () => session.request('failed'),
    a: () => session.request('all'),
    r: () => session.again(),
    o: () => openReport(session.report),
    q: quit,
    // Ctrl-C and Ctrl-D: a terminal that hands over single keys makes no signals of them.
    '\u0003': quit,
    '\u0004': quit,
  };
  const read = (keys: string): void => {
    for (const key of keys) actions[key.toLowerCase()]?.();
  };
  stdin.setRawMode(true).setEncoding('utf8').on('data', read);
  return () => {
    stdin.off('data', read).setRawMode(false).pause();
  };
}

function openReport(folder: string | undefined): void {
  if (folder === undefined) return noteLine('there is no report yet');
  openPage(join(folder, 'report.html'));
}
