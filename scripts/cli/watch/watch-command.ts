import { join } from 'node:path';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
import { applyConfiguration } from '../config/apply-configuration.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { commandFailure, EXIT, UsageError, interruptible } from '../terminal/exit.ts';
import { openPage, noteLine } from '../terminal/output.ts';
import { watchFiles } from './watch-files.ts';
import { type KeyAction, readPressedKeys, type Scope, WatchSession } from './watch-session.ts';

/** @throws {UsageError} Given what only a single run can do. */
function rejectSingle({ plan, json, shard, writeBaseline, baseUrl }: CheckFlags): void {
  const single = { '--plan': plan, '--json': json, '--shard': shard, '--write-baseline': writeBaseline };
  const [name] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--watch and ${name} exclude each other`);
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
  let scope: Scope = 'all';
  const request = (next: Scope | 'quit'): void => {
    nextRound.request(next);
    session.supersede();
  };
  const paths = Array.isArray(given.watch) ? given.watch : (flags.watchPaths ?? ['.']);
  const own = flags.report === undefined ? [] : [flags.report];
  const files = await watchFiles(paths, own, (changed) => {
    noteLine(`\nchanged: ${changed.join(' ')}`);
    request('changed');
  });
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
    await session.round('changed', await failedBefore(flags));
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

async function failedBefore(flags: CheckFlags): Promise<readonly string[]> {
  if (flags.lastFailed !== true) return [];
  const { lastFailed } = await import('../check/last-failed.ts');
  const { catalogueOf } = await import('../modules/catalogue-of.ts');
  return lastFailed(flags, await catalogueOf(flags));
}

function openReport(folder: string | undefined): void {
  if (folder === undefined) return noteLine('there is no report yet');
  openPage(join(folder, 'report.html'));
}
