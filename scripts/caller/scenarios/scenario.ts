import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';

/** One completion that a caller is asked for. */
export interface TaskItem {
  readonly id: string;
  /** No two wishes of a scenario begin alike, and a shortened text still begins so. */
  readonly text: string;
  readonly maxTokens: number;
  readonly stream: boolean;
  /** An image that goes with the text, as a data: URL. */
  readonly image?: string;
}

/** Something that happens to a caller, and what it is asked to do meanwhile. */
export interface CallerScenario {
  /** What a faithful caller does, in a sentence without its subject. */
  readonly faithful: string;
  /** What it can put to the question. */
  readonly clauses: readonly ClauseId[];
  readonly items: readonly TaskItem[];
  /** How many of the wishes to have under way at once. */
  readonly atOnce: number;
  /** Rules of a fault plan. A `timeout` is answered once nobody waits any more who was told how long to. */
  readonly faults: readonly string[];
  /** Milliseconds without a new request after which all that are under way are answered; absent: each at once. */
  readonly gatherMs?: number;
  /** Whether a model takes images; absent: one does. */
  readonly vision?: boolean;
}

const SUBJECTS = ['a river', 'a bridge', 'a lantern', 'a harbour', 'a meadow', 'a kettle'];

/** So many wishes of one sentence each. */
export function textItems(count: number): readonly TaskItem[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `wish-${index + 1}`,
    text: `Wish ${index + 1} of ${count}: name ${SUBJECTS[index % SUBJECTS.length]}.`,
    maxTokens: 16,
    stream: false,
  }));
}
