import type { Summary } from '../../../suites/kit/model/summary.ts';
import { runAndReport, SUPERSEDED } from '../check/check-command.ts';
import { type CheckOptions, resolveCheckOptions } from '../check/check-options.ts';
import { Memory } from '../check/memory.ts';
import { targetLine } from '../check/option-lines.ts';
import { changesLine, onlyFailed, remembering } from '../check/what-failed-before.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { discardRun } from '../reports/run-folders.ts';
import { fillPort } from '../service/fill-port.ts';
import { EXIT } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import type { Moment } from './service-files.ts';
import { WatchedService } from './watched-service.ts';

/** What a round checks: everything, what failed before first, or only that. */
export type Scope = 'all' | 'failed';

/** How long after a round nobody can tell whether the service writes what came of it, or the user saves. */
const LATE_MS = 1000;

/** Rounds of checks of one target; each is a run that knows what failed before it. */
export class WatchSession {
  readonly #flags: CheckFlags;
  readonly #service = new WatchedService();
  #memory: Memory | undefined;
  /** What was said of the target. */
  #target: string | undefined;
  #round: AbortController | undefined;
  #number = 0;
  #endedAt: number | undefined = -Infinity;
  /** The exit code of the latest round. */
  code: number = EXIT.conformant;
  /** The folder of the latest report. */
  report: string | undefined;

  /** `flags` still have `{port}`. */
  constructor(flags: CheckFlags) {
    this.#flags = flags;
  }

  /** The number of the round under way; or how long ago it ended. */
  get moment(): Moment {
    if (this.#endedAt === undefined) return this.#number;
    return performance.now() - this.#endedAt < LATE_MS ? 'just after' : 'idle';
  }

  /** Ends the round that runs, without a report. */
  supersede(): void {
    this.#round?.abort(SUPERSEDED);
  }

  /** Renews the service, and checks. Resolves also when it is superseded. */
  async round(scope: Scope): Promise<void> {
    this.#round = new AbortController();
    const { signal } = this.#round;
    this.#number += 1;
    this.#endedAt = undefined;
    try {
      const code = await this.#check(scope, signal);
      if (code === undefined || signal.aborted) return;
      this.code = code;
      noteLine(process.stdin.isTTY ? `waiting for changes · ${KEYS_LINE}` : 'waiting for changes');
    } finally {
      this.#endedAt = performance.now();
    }
  }

  async close(): Promise<void> {
    await this.#service.close();
  }

  /** In the first round, and where a free port makes it another. */
  #noteTarget(options: CheckOptions): void {
    const line = targetLine(options);
    if (line !== undefined && line !== this.#target && !options.quiet) noteLine(line);
    this.#target = line;
  }

  /** The exit code; undefined when it was superseded. */
  async #check(scope: Scope, signal: AbortSignal): Promise<number | undefined> {
    // The first round goes on from the reports of earlier runs.
    this.#memory ??= await Memory.read(this.#flags);
    const memory = this.#memory;
    const flags = await fillPort(this.#flags);
    const all = await catalogueOf(flags);
    const chosen = scope === 'failed' ? onlyFailed(flags, all, memory) : undefined;
    const options = remembering(await resolveCheckOptions(chosen ?? flags, process.env, all), memory);
    this.#noteTarget(options);
    if (!(await this.#service.renew(options, signal))) return EXIT.unreachable;
    const { code, summary } = signal.aborted ? {} : await runAndReport(options, signal, 'failures');
    if (signal.aborted) return discardHalf(options, summary);
    this.#service.mourn(options);
    if (summary === undefined) return code;
    this.report = options.report;
    writeLine(changesLine(summary, memory, options.failOn) ?? 'Nothing fails');
    memory.note(summary);
    return code;
  }
}

/** Half a round is no report; where it leaves requests of unknown outcome, its journal lists them. */
function discardHalf({ report }: CheckOptions, summary: Summary | undefined): undefined {
  if (report !== undefined && (summary?.uncertain ?? []).length === 0) discardRun(report);
}

/** What a key asks for. */
export type KeyAction = 'failed' | 'all' | 'again' | 'open' | 'quit';

const ACTIONS: Readonly<Record<string, KeyAction>> = {
  f: 'failed',
  a: 'all',
  r: 'again',
  o: 'open',
  q: 'quit',
  // Ctrl-C and Ctrl-D: a terminal that hands over single keys makes no signals of them.
  '\u0003': 'quit',
  '\u0004': 'quit',
};

/** For the line below a verdict. */
const KEYS_LINE = 'f failed only · a all · r again · o open the report · q quit';

/** Reads single keys from a terminal; does nothing where there is none. Returns how to give it back. */
export function readPressedKeys(onKey: (action: KeyAction) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const read = (keys: string): void => {
    for (const key of keys) {
      const action = ACTIONS[key.toLowerCase()];
      if (action !== undefined) onKey(action);
    }
  };
  stdin.setRawMode(true).setEncoding('utf8').on('data', read);
  return () => {
    stdin.off('data', read).setRawMode(false).pause();
  };
}
