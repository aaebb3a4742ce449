import type { Check } from '../../../suites/kit/model/check.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import { type Checked, runAndReport, SUPERSEDED } from '../check/check-command.ts';
import { type CheckOptions, resolveCheckOptions } from '../check/check-options.ts';
import { failedWords } from '../check/last-failed.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { CheckFlags } from '../options/check-flags.ts';
import { type Catalogue, selectChecks } from '../options/select-checks.ts';
import { fillPort } from '../service/fill-port.ts';
import { EXIT } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { WatchedService } from './watched-service.ts';

/** What one round checks: what failed and then the rest, only what failed, or everything at once. */
export type Scope = 'changed' | 'failed' | 'all';

/** Rounds of checks of one target; each knows what failed before it. */
export class WatchSession {
  readonly #flags: CheckFlags;
  readonly #service = new WatchedService();
  /** The latest result of each check. */
  readonly #results = new Map<string, CheckResult>();
  /** The checks that the latest round knew. */
  #senders: readonly Check[] = [];
  #round: AbortController | undefined;
  /** The exit code of the latest round. */
  code: number = EXIT.conformant;
  /** The folder of the latest report that shows a failure, or else of the latest one. */
  report: string | undefined;

  /** `flags` still have `{port}`; `failed` are words that select what failed before. */
  constructor(flags: CheckFlags) {
    this.#flags = flags;
  }

  /** Ends the round that runs, without a report. */
  supersede(): void {
    this.#round?.abort(SUPERSEDED);
  }

  /** Renews the service, and checks. Resolves also when it is superseded. */
  async round(scope: Scope, failedBefore: readonly string[] = this.#failed()): Promise<void> {
    this.#round = new AbortController();
    const { signal } = this.#round;
    const flags = { ...(await fillPort(this.#flags)), quiet: true };
    const first = failedBefore.length > 0 && scope !== 'all' ? { ...flags, only: failedBefore } : flags;
    const all = await catalogueOf(flags);
    this.#senders = all.checks;
    const options = await optionsOf(first, all);
    if (!(await this.#service.renew(options, signal))) return this.#end(EXIT.unreachable);
    if (signal.aborted) return;
    const { code } = await this.#check(options, signal);
    if (scope === 'failed' || first === flags || signal.aborted) return this.#settle(code, signal, options);
    const rest = { ...flags, skip: [...(flags.skip ?? []), ...failedBefore] };
    if (isEmpty(rest, all)) return this.#settle(code, signal, options);
    this.#say(signal);
    const others = await optionsOf(rest, all);
    const { code: codeOfRest } = await this.#check(others, signal);
    this.#settle(code === EXIT.conformant ? codeOfRest : code, signal, others);
  }

  async close(): Promise<void> {
    await this.#service.close();
  }

  async #check(options: CheckOptions, signal: AbortSignal): Promise<Checked> {
    const checked = await runAndReport(options, signal);
    const { summary, code } = checked;
    for (const result of summary?.checks ?? []) this.#results.set(result.id, result);
    if (summary !== undefined && (code !== EXIT.conformant || this.#failed().length === 0))
      this.report = options.report;
    return checked;
  }

  #failed(): readonly string[] {
    return failedWords([...this.#results.values()], this.#senders, this.#flags.failOn);
  }

  #settle(code: number, signal: AbortSignal, options: CheckOptions): void {
    if (signal.aborted) return;
    this.#service.mourn(options);
    this.#say(signal);
    this.#end(code);
  }

  #say({ aborted }: AbortSignal): void {
    if (aborted) return;
    const failed = this.#failed();
    writeLine(failed.length === 0 ? 'Nothing fails' : `Failing: ${failed.join(' ')}`);
  }

  #end(code: number): void {
    this.code = code;
    noteLine(process.stdin.isTTY ? `waiting for changes · ${KEYS_LINE}` : 'waiting for changes');
  }
}

/** Read anew for each round, with a report folder of its own. */
function optionsOf(flags: CheckFlags, all: Catalogue): Promise<CheckOptions> {
  return resolveCheckOptions(flags, process.env, all);
}

function isEmpty({ only = [], skip = [], send }: CheckFlags, all: Catalogue): boolean {
  try {
    return selectChecks(all, only, skip, send).checks.length === 0;
  } catch {
    return true;
  }
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
