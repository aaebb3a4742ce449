import { once } from 'node:events';
import { join } from 'node:path';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { type Checked, runAndReport, SUPERSEDED } from '../check/check-command.ts';
import { type CheckOptions, resolveCheckOptions } from '../check/check-options.ts';
import { type Memory, memoryOf, readMemory, changesLine, onlyFailed } from '../check/memory.ts';
import { targetLines } from '../check/plan-run.ts';
import { withService } from '../check/with-service.ts';
import { resolveFlags } from '../config/resolve-flags.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { discardRun } from '../reports/report-folder.ts';
import { commandFailure, EXIT, interruptible, UsageError } from '../terminal/exit.ts';
import { noteLine, openPage, writeLine } from '../terminal/output.ts';
import { watchFiles } from './watch-files.ts';

/** What a round checks: everything, what failed before first, or only that. */
type Scope = 'all' | 'failed';

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
  const onChange = flags.lastFailed === true ? 'failed' : 'all';
  const session = new WatchSession(flags, onChange);
  const watched = Array.isArray(given.watch) ? { ...flags, watchPaths: given.watch } : flags;
  const endWatch = await watchFiles(watched, (changed) => {
    noteLine(`\nchanged: ${changed.join(' ')}`);
    session.request(onChange);
  });
  const releaseKeys = readKeys(session);
  const { signal, release } = interruptible(() => session.request('quit'));
  try {
    for (let isFirst = true; session.next !== 'quit'; isFirst = false) await session.round(isFirst);
  } finally {
    releaseKeys();
    await endWatch();
    release();
  }
  process.exitCode = signal.aborted ? EXIT.interrupted : session.code;
}

/** Rounds of checks of one target; each is a run that knows what failed before it. */
class WatchSession {
  readonly #flags: ResolvedFlags;
  #memory: Memory | undefined;
  /** Aborted when another round is asked for, under way or not. */
  #round = new AbortController();
  next: Scope | 'quit';
  /** The exit code of the latest round. */
  code: number = EXIT.conformant;
  /** The folder of the latest report. */
  report: string | undefined;

  /** `flags` still have `{port}`. */
  constructor(flags: ResolvedFlags, first: Scope) {
    this.#flags = flags;
    this.next = first;
  }

  /** Asks for another round, as the latest one or not, or for none; the round under way ends without a report. */
  request(next: Scope | 'quit' = this.next): void {
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
      await this.#check(this.next === 'failed', signal, ended);
    } catch (error) {
      // What is being edited, such as a profile, may be wrong for a moment.
      if (isFirst || !(error instanceof UsageError || error instanceof FileError)) throw error;
      this.code = commandFailure(error);
    }
    await ended;
  }

  async #check(isFailed: boolean, signal: AbortSignal, ended: Promise<unknown>): Promise<void> {
    const flags = this.#flags;
    // The first round goes on from the reports of earlier runs.
    const memory = (this.#memory ??= await readMemory(flags));
    const all = await catalogueOf(flags);
    const chosen = isFailed ? onlyFailed(flags, all, memory) : undefined;
    const options = await resolveCheckOptions(chosen ?? flags, process.env, all, memory.failures);
    if (!options.quiet) targetLines(options).forEach(noteLine);
    const run = async (): Promise<Checked> =>
      signal.aborted ? { code: EXIT.interrupted } : runAndReport(options, signal, true);
    await withService(options, signal, run, async (checked) => {
      if (signal.aborted) return discardHalf(options, checked);
      this.#keep(checked, options, memory);
      noteLine(`waiting for changes${process.stdin.isTTY ? ` · ${KEYS_LINE}` : ''}`);
      await ended;
    });
  }

  #keep({ code, summary }: Checked, { report, run }: CheckOptions, memory: Memory): void {
    this.code = code;
    if (summary === undefined) return;
    this.report = report;
    writeLine(changesLine(summary, memory, run.failOn) ?? 'Nothing fails');
    this.#memory = memoryOf(summary, this.#flags.failOn);
  }
}

/** Half a round is no report; where it leaves requests of unknown outcome, its journal lists them. */
function discardHalf({ report }: CheckOptions, { summary }: Checked): void {
  if (report !== undefined && (summary?.uncertain ?? []).length === 0) discardRun(report);
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
    r: () => session.request(),
    o: () =>
      session.report === undefined
        ? noteLine('there is no report yet')
        : openPage(join(session.report, 'report.html')),
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
