import { join, relative, sep } from 'node:path';
import { applyConfiguration } from '../config/apply-configuration.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { rejectMissingTarget } from '../options/missing-target.ts';
import { EXIT, interruptible, UsageError } from '../terminal/exit.ts';
import { noteLine, openPage } from '../terminal/output.ts';
import { DataFiles } from './data-files.ts';
import { KEYS_LINE, readPressedKeys } from './pressed-keys.ts';
import { watchFiles } from './watch-files.ts';
import { type Scope, WatchSession } from './watch-session.ts';

/** @throws {UsageError} Given what only a single run can do. */
function rejectSingle(flags: CheckFlags): void {
  const { plan, json, shard, writeBaseline, baseUrl } = flags;
  const single = { '--plan': plan, '--json': json, '--shard': shard, '--write-baseline': writeBaseline };
  const [name] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--watch and ${name} exclude each other`);
  if (baseUrl === undefined) rejectMissingTarget(flags, process.env);
  if (baseUrl === undefined)
    throw new UsageError('--watch requires --base-url: it is where the service answers');
}

/**
 * `chat-conformance --watch`: checks, and checks again on every change, until the user quits; sets the exit code of the
 * latest round.
 * @throws {UsageError} Before anything is sent or started.
 */
export async function runWatchCommand(given: CheckFlags): Promise<void> {
  const { flags } = await applyConfiguration(given);
  rejectSingle(flags);
  const session = new WatchSession(flags);
  const onChange: Scope = flags.lastFailed === true ? 'failed' : 'all';
  const paths = Array.isArray(given.watch) ? given.watch : (flags.watchPaths ?? ['.']);
  const dataFiles = new DataFiles(namedFiles(flags, paths));
  const files = await watchFiles(paths, flags.report, (changed) => {
    const { begin, leftOut } = dataFiles.sift(changed, session.number);
    for (const place of leftOut) noteLine(`\n${leftOutLine(place)}`);
    if (begin.length === 0) return;
    noteLine(`\nchanged: ${begin.join(' ')}`);
    session.request(onChange);
  });
  const giveBack = readPressedKeys({
    failed: () => session.request('failed'),
    all: () => session.request('all'),
    again: () => session.again(),
    quit: () => session.request('quit'),
    open: () => openReport(session.report),
  });
  const { signal, release } = interruptible(() => session.request('quit'));
  try {
    await session.rounds(onChange, () => waitingLine([...dataFiles.leftOut]));
  } finally {
    giveBack();
    await files.close();
    release();
  }
  process.exitCode = signal.aborted ? EXIT.interrupted : session.code;
}

/** The files that people have named begin rounds whatever they are; a round reads the profile and the baseline itself. */
function namedFiles({ profile, baseline }: CheckFlags, paths: readonly string[]): readonly string[] {
  return [profile, baseline, ...paths].flatMap((path) =>
    path === undefined ? [] : [relative(process.cwd(), path)],
  );
}

function said(place: string): string {
  return place.endsWith(sep) ? `what is new in ${place}` : place;
}

function leftOutLine(place: string): string {
  return `left out from now on: ${said(place)} (changed in or after three rounds in a row: probably by the service). If you edit it, press r to check again, or name the file after --watch.`;
}

function waitingLine(leftOut: readonly string[]): string {
  const but = leftOut.length === 0 ? '' : ` (left out: ${leftOut.map(said).join(', ')})`;
  return `waiting for changes${but}${process.stdin.isTTY ? ` · ${KEYS_LINE}` : ''}`;
}

function openReport(folder: string | undefined): void {
  if (folder === undefined) return noteLine('there is no report yet');
  openPage(join(folder, 'report.html'));
}
