import { join } from 'node:path';
import { FileError } from '../../../suites/kit/files/read-json-file.ts';
import { lastFailed } from '../check/last-failed.ts';
import { applyConfiguration } from '../config/apply-configuration.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { commandFailure, EXIT, UsageError } from '../terminal/exit.ts';
import { interruptible } from '../terminal/interruption.ts';
import { noteLine } from '../terminal/output.ts';
import { openPage } from './open-page.ts';
import { type KeyAction, readPressedKeys } from './read-keys-pressed.ts';
import { watchFiles } from './watch-files.ts';
import { type Scope, WatchSession } from './watch-session.ts';

/** @throws {UsageError} Given what only a single run can do. */
function rejectSingle({ plan, json, shard, writeBaseline, baseUrl }: CheckFlags): void {
  const single = { '--plan': plan, '--json': json, '--shard': shard, '--write-baseline': writeBaseline };
  const [name] = Object.entries(single).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--watch and ${name} exclude each other`);
  if (baseUrl === undefined)
    throw new UsageError('--watch requires --base-url: it is where the service answers');
}

/** What comes next; a later wish replaces one that was not begun. */
class Wishes {
  #next: Scope | 'quit' | undefined;
  #wake: () => void = () => {};

  add(wish: Scope | 'quit'): void {
    if (this.#next !== 'quit') this.#next = wish;
    this.#wake();
  }

  async take(): Promise<Scope | 'quit'> {
    while (this.#next === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const wish = this.#next;
    this.#next = undefined;
    return wish;
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
  const wishes = new Wishes();
  let scope: Scope = 'all';
  const wish = (next: Scope | 'quit'): void => {
    wishes.add(next);
    session.supersede();
  };
  const paths = Array.isArray(given.watch) ? given.watch : (flags.watchPaths ?? ['.']);
  const own = flags.report === undefined ? [] : [flags.report];
  const files = await watchFiles(paths, own, (changed) => {
    noteLine(`\nchanged: ${changed.join(' ')}`);
    wish('changed');
  });
  const onKey: Readonly<Record<KeyAction, () => void>> = {
    failed: () => wish('failed'),
    all: () => wish('all'),
    again: () => wish(scope),
    quit: () => wish('quit'),
    open: () => openReport(session.report),
  };
  const giveBack = readPressedKeys((action) => onKey[action]());
  const { signal, release } = interruptible(() => wish('quit'));
  try {
    await session.round('changed', await failedBefore(flags));
    for (let next = await wishes.take(); next !== 'quit'; next = await wishes.take()) {
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
  return flags.lastFailed === true ? lastFailed(flags, await catalogueOf(flags)) : [];
}

function openReport(folder: string | undefined): void {
  if (folder === undefined) return noteLine('there is no report yet');
  openPage(join(folder, 'report.html'));
}
