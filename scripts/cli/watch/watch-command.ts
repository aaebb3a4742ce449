import { join } from 'node:path';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
import { applyConfiguration } from '../config/apply-configuration.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { rejectMissingTarget } from '../options/missing-target.ts';
import { commandFailure, EXIT, UsageError, interruptible } from '../terminal/exit.ts';
import { openPage, noteLine } from '../terminal/output.ts';
import { ServiceFiles } from './service-files.ts';
import { watchFiles } from './watch-files.ts';
import { type KeyAction, readPressedKeys, type Scope, WatchSession } from './watch-session.ts';

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

/** What the next round checks; a later request replaces one that was not begun. */
class NextRound {
  #next: Scope | 'quit' | undefined;
  #wake: () => void = () => {};

  request(next: Scope | 'quit'): void {
    if (this.#next !== 'quit') this.#next = next;
    this.#wake();
  }

  async take(): Promise<Scope | 'quit'> {
    while (this.#next === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
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
  const nextRound = new NextRound();
  const onChange: Scope = flags.lastFailed === true ? 'failed' : 'all';
  let scope = onChange;
  const request = (next: Scope | 'quit'): void => {
    nextRound.request(next);
    session.supersede();
  };
  const paths = Array.isArray(given.watch) ? given.watch : (flags.watchPaths ?? ['.']);
  const own = flags.report === undefined ? [] : [flags.report];
  const heed = heedful(session, () => request(onChange));
  const files = await watchFiles(paths, own, heed);
  const onKey: Readonly<Record<KeyAction, () => void>> = {
    failed: () => request('failed'),
    all: () => request('all'),
    again: () => request(scope),
    quit: () => request('quit'),
    open: () => openReport(session.report),
  };
  const giveBack = readPressedKeys((action) => onKey[action]());
  const { signal, release } = interruptible(() => request('quit'));
  try {
    await session.round(onChange);
    for (let next = await nextRound.take(); next !== 'quit'; next = await nextRound.take()) {
      scope = next;
      await tolerantRound(session, next);
    }
  } finally {
    giveBack();
    await files.close();
    await session.close();
    release();
  }
  process.exitCode = signal.aborted ? EXIT.interrupted : session.code;
}

/** What is being edited, such as a profile, may be wrong for a moment. */
async function tolerantRound(session: WatchSession, scope: Scope): Promise<void> {
  try {
    await session.round(scope);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof FileError)) throw error;
    session.code = commandFailure(error);
  }
}

/** Says what changed, and calls `begin` unless the service wrote it all. */
function heedful(
  session: Pick<WatchSession, 'moment'>,
  begin: () => void,
): (changed: readonly string[]) => void {
  const serviceFiles = new ServiceFiles();
  return (changed) => {
    const sifted = serviceFiles.sift(changed, session.moment);
    for (const file of sifted.leftOut) noteLine(`\n${leftOutLine(file)}`);
    if (sifted.begin.length === 0) return;
    noteLine(`\nchanged: ${sifted.begin.join(' ')}`);
    begin();
  };
}

function leftOutLine(file: string): string {
  return `left out from now on: ${file}, which changed in three rounds in a row while the service was checked. If you edit it, start the watch again.`;
}

function openReport(folder: string | undefined): void {
  if (folder === undefined) return noteLine('there is no report yet');
  openPage(join(folder, 'report.html'));
}
