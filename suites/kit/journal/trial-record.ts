import type { JudgedDraw } from '../model/check.ts';
import type { Journal, Simplification } from '../model/journal.ts';
import { trialEntry } from './entries.ts';

/** Writes judged draws to the journal, each with its place in the plan: draws end in another order. */
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
