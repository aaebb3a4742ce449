import { once } from 'node:events';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { type Checked, runAndReport, SUPERSEDED } from '../check/check-command.ts';
import { resolveCheckOptions } from '../check/check-options.ts';
import { type Memory, memoryOf, readMemory, changesLine, onlyFailed } from '../check/memory.ts';
import { targetLine } from '../check/option-lines.ts';
import { USUAL_WAIT_S, withService } from '../check/with-service.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { discardRun } from '../reports/run-folders.ts';
import { fillPort } from '../service/start-service.ts';
import { noticedChange } from '../service/wait-for-service.ts';
import { commandFailure, EXIT, UsageError } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';

/** What a round checks: everything, what failed before first, or only that. */
type Scope = 'all' | 'failed';

/** Rounds of checks of one target; each is a run that knows what failed before it. */
export class WatchSession {
  readonly #flags: ResolvedFlags;
  #memory: Memory | undefined;
  #next: Scope | 'quit' = 'all';
  /** Aborted when another round is asked for, under way or not. */
  #round = new AbortController();
  /** The number of the latest round. */
  number = 0;
  /** The exit code of the latest round. */
  code: number = EXIT.conformant;
  /** The folder of the latest report. */
  report: string | undefined;

  /** `flags` still have `{port}`. */
  constructor(flags: ResolvedFlags) {
    this.#flags = flags;
  }

  /** Asks for another round, or for none; the round under way ends without a report. */
  request(next: Scope | 'quit'): void {
    if (this.#next !== 'quit') this.#next = next;
    this.#round.abort(SUPERSEDED);
  }

  /** Asks for the latest round once more. */
  again(): void {
    this.request(this.#next);
  }

  /**
   * Checks, and again whenever that is asked for; `waitingLine` is printed between the rounds.
   * @throws {UsageError} Where the first round cannot begin.
   */
  async rounds(first: Scope, waitingLine: string): Promise<void> {
    for (this.request(first); this.#next !== 'quit'; this.number += 1) {
      this.#round = new AbortController();
      const { signal } = this.#round;
      try {
        await this.#check(this.#next, signal, waitingLine);
      } catch (error) {
        // What is being edited, such as a profile, may be wrong for a moment.
        const isWrongUsage = error instanceof UsageError || error instanceof FileError;
        if (this.number === 0 || !isWrongUsage) throw error;
        this.code = commandFailure(error);
      }
      await aborted(signal);
    }
  }

  /** Checks, and leaves the service running until another round is asked for. */
  async #check(scope: Scope, signal: AbortSignal, waitingLine: string): Promise<void> {
    // The first round goes on from the reports of earlier runs.
    this.#memory ??= await readMemory(this.#flags);
    const memory = this.#memory;
    const flags = await fillPort(this.#flags);
    const all = await catalogueOf(flags);
    const chosen = scope === 'failed' ? onlyFailed(flags, all, memory) : undefined;
    const resolved = await resolveCheckOptions(chosen ?? flags, process.env, all, memory.failures);
    const options = { ...resolved, wait: resolved.wait ?? USUAL_WAIT_S };
    const { target, service } = options;
    if (target.kind === 'live' && service === undefined) await noticedChange(target, signal);
    const line = targetLine(options);
    if (line !== undefined && !options.quiet) noteLine(line);
    const run = async (): Promise<Checked> =>
      signal.aborted ? { code: EXIT.interrupted } : runAndReport(options, signal, true);
    await withService(options, signal, run, async ({ code, summary }) => {
      if (signal.aborted) {
        // Half a round is no report; where it leaves requests of unknown outcome, its journal lists them.
        if (options.report !== undefined && (summary?.uncertain ?? []).length === 0)
          discardRun(options.report);
        return;
      }
      this.code = code;
      if (summary !== undefined) {
        this.report = options.report;
        writeLine(changesLine(summary, memory, options.run.failOn) ?? 'Nothing fails');
        this.#memory = memoryOf(summary, this.#flags.failOn);
      }
      noteLine(waitingLine);
      await aborted(signal);
    });
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
