import { once } from 'node:events';
import { join } from 'node:path';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { type Checked, runAndReport, SUPERSEDED } from '../check/check-command.ts';
import { resolveCheckOptions } from '../check/check-options.ts';
import { type Memory, memoryOf, readMemory, changesLine, onlyFailed } from '../check/memory.ts';
import { targetLines } from '../check/plan-run.ts';
import { withService } from '../check/with-service.ts';
import { resolveFlags } from '../config/resolve-flags.ts';
import { catalogueOf } from '../modules/catalogue.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { discardRun } from '../reports/report-folder.ts';
import {
  commandFailure,
  EXIT,
  interruptible,
  UsageError,
  noteLine,
  openPage,
  writeLine,
} from '../terminal/terminal.ts';
import { watchFiles } from './watch-files.ts';

/** @throws {UsageError} Given what only a single run can do. */
function rejectSingle(flags: ResolvedFlags): void {
  const { plan, json, writeBaseline, baseUrl } = flags;
  const single = { '--plan': plan, '--json': json, '--write-baseline': writeBaseline };
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
  const onChange = flags.lastFailed === true ? 'failed' : 'all';
  const session = new WatchSession(flags, onChange);
  const watched = Array.isArray(given.watch) ? { ...flags, watchPaths: given.watch } : flags;
  const endWatch = await watchFiles(watched, (changed) => {
    noteLine(`\nchanged: ${changed.join(' ')}`);
    session.request(onChange);
  });
  const releaseKeys = readKeys(session);
  try {
    process.exitCode = await interruptible(
      () => session.request('quit'),
      async (signal) => {
        for (let isFirst = true; session.next !== 'quit'; isFirst = false) await session.round(isFirst);
        return signal.aborted ? EXIT.interrupted : session.code;
      },
    );
  } finally {
    releaseKeys();
    await endWatch();
  }
}

/** Rounds of checks of one target; each is a run that knows what failed before it. */
class WatchSession {
  readonly #flags: ResolvedFlags;
  #memory: Memory | undefined;
  /** Aborted when another round is asked for, under way or not. */
  #round = new AbortController();
  /** What the next round checks: everything, what failed before first, or only that. */
  next: 'all' | 'failed' | 'quit';
  /** The exit code of the latest round. */
  code: number = EXIT.conformant;
  /** The folder of the latest report. */
  report: string | undefined;

  /** `flags` still have `{port}`. */
  constructor(flags: ResolvedFlags, first: 'all' | 'failed') {
    this.#flags = flags;
    this.next = first;
  }

  /** Asks for another round, as the latest one or not, or for none; the round under way ends without a report. */
  request(next = this.next): void {
    if (this.next !== 'quit') this.next = next;
    this.#round.abort(SUPERSEDED);
  }

  /**
   * Checks, and leaves the service running until another round is asked for.
   * @throws {UsageError} Where the first round cannot begin.
   */
  async round(isFirst: boolean): Promise<void> {
    this.#round = new AbortController();
    const { signal } = this.#round;
    const ended = once(signal, 'abort');
    try {
      await this.#check(signal, ended);
    } catch (error) {
      // What is being edited, such as a profile, may be wrong for a moment.
      if (isFirst || !(error instanceof UsageError || error instanceof FileError)) throw error;
      this.code = commandFailure(error);
    }
    await ended;
  }

  async #check(signal: AbortSignal, ended: Promise<unknown>): Promise<void> {
    const flags = this.#flags;
    // The first round goes on from the reports of earlier runs.
    const memory = (this.#memory ??= await readMemory(flags));
    const all = await catalogueOf(flags);
    const chosen = this.next === 'failed' ? onlyFailed(flags, all, memory) : undefined;
    const options = await resolveCheckOptions(chosen ?? flags, process.env, all, memory.failures);
    const { quiet, report, run } = options;
    if (!quiet) targetLines(options).forEach(noteLine);
    const check = async (): Promise<Checked> =>
      signal.aborted ? { code: EXIT.interrupted } : runAndReport(options, signal, true);
    await withService(options, signal, check, async ({ code, summary }) => {
      if (signal.aborted) {
        // Half a round is no report; where it leaves requests of unknown outcome, its journal lists them.
        if (report !== undefined && (summary?.uncertain ?? []).length === 0) discardRun(report);
        return;
      }
      this.code = code;
      if (summary !== undefined) {
        this.report = report;
        this.#memory = memoryOf(summary, flags.failOn);
        writeLine(changesLine(summary, memory, run.failOn) ?? 'Nothing fails');
      }
      const keys = ' · f failed only · a all · r again · o open the report · q quit';
      noteLine(`waiting for changes${process.stdin.isTTY ? keys : ''}`);
      await ended;
    });
  }
}

/** Reads single keys from a terminal, if there is one. Returns how to give it back. */
function readKeys(session: WatchSession): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const quit = (): void => session.request('quit');
  const open = (): void => {
    const { report } = session;
    if (report === undefined) noteLine('there is no report yet');
    else openPage(join(report, 'report.html'));
  };
  const actions: Readonly<Record<string, () => void>> = {
    f: () => session.request('failed'),
    a: () => session.request('all'),
    r: () => session.request(),
    o: open,
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
