import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../../suites/kit/evidence/printable.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import type { Observer } from '../../proxy/observer.ts';
import { noteLine } from '../terminal/output.ts';

/** How often new findings are printed while traffic passes, at most. */
const PRINT_EVERY_MS = 1000;

/** Judging that took long is followed by so many times as long without it. */
const REST_FACTOR = 10;

const LONGEST = 300;

/** Prints each kind of finding once. */
export class FindingPrinter {
  readonly #observer: Observer;
  readonly #said = new Set<string>();
  #isNew = false;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  noteNew(): void {
    this.#isNew = true;
  }

  /** Prints findings as they are found, until the signal. */
  async printUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const since = performance.now();
      await this.printNew();
      const rest = Math.max(PRINT_EVERY_MS, REST_FACTOR * (performance.now() - since));
      await sleep(rest, undefined, { signal }).catch(() => {});
    }
  }

  async printNew(): Promise<void> {
    if (!this.#isNew) return;
    this.#isNew = false;
    const { checks } = await this.#observer.summary();
    for (const check of checks) if (check.verdict === 'fail' || check.verdict === 'warn') this.#print(check);
  }

  #print({ id, clauses, verdict, evidence }: CheckResult): void {
    for (const { finding } of evidence) {
      const { code, path, expected, actual } = finding;
      const name = [id, code, path].join(' ');
      const text = printable(`expected ${expected}; got ${actual}`, LONGEST);
      if (!this.#said.has(name))
        noteLine(`${verdict === 'fail' ? '✘' : '⚠'} ${id} (${clauses.join(' ')}): ${text}`);
      this.#said.add(name);
    }
  }
}
