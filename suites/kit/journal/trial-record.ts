import type { JudgedDraw } from '../model/check.ts';

import type { Simplification, TrialEntry, Journal } from '../model/journal.ts';

import { recordRuling } from './codecs.ts';

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

/** A draw that was sent and judged, as a line of a journal: its exchanges have lines of their own. */
export function trialEntry(judged: JudgedDraw, nth: number, simplifies?: Simplification): TrialEntry {
  const { id, stimulus, among, trial, missing, rulings } = judged;
  const { exchanges, counterpart, ...data } = trial;
  return {
    type: 'trial',
    id,
    stimulus,
    ...(among !== undefined && { among }),
    nth,
    exchanges: exchanges.map((exchange) => exchange.id),
    ...(counterpart !== undefined && { control: counterpart.id }),
    data,
    ...(missing !== undefined && { missing: recordRuling(missing) }),
    rulings: Object.fromEntries(rulings.map(([check, ruling]) => [check.id, recordRuling(ruling)])),
    ...(simplifies !== undefined && { simplifies }),
  };
}
