import type { JudgedDraw } from '../running/judge-draw.ts';
import type { Simplification } from './entry.ts';
import type { Journal } from './journal.ts';
import { trialEntry } from './trial-entry.ts';

/** Writes down what was judged, each in its place in the plan, which is not the order in which draws end. */
export class TrialRecord {
  readonly #journal: Journal | undefined;
  readonly #places = new Map<string, number>();
  #next = 0;

  constructor(journal: Journal | undefined) {
    this.#journal = journal;
  }

  /** Gives these draws the next places. */
  plan(draws: readonly { readonly id: string }[]): void {
    for (const { id } of draws) this.#places.set(id, this.#next++);
  }

  add(judged: JudgedDraw, simplifies?: Simplification): void {
    const nth = this.#places.get(judged.id) ?? this.#next++;
    this.#journal?.append(trialEntry(judged, nth, simplifies));
  }
}
