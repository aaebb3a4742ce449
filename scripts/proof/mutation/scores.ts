import { readFileSync, writeFileSync } from 'node:fs';
import type { Mutant } from './mutant.ts';
import { MUTATED_PARTS } from './mutated-parts.ts';

const SCORES = new URL('scores.json', import.meta.url);

/** How many mutants of a part the tests noticed, and how many survived. */
export interface Score {
  readonly noticed: number;
  readonly survived: number;
}

/** The scores of the parts as they were when each was last mutated. */
export function readScores(): Readonly<Record<string, Score>> {
  const scores: Record<string, Score> = JSON.parse(readFileSync(SCORES, 'utf8'));
  return scores;
}

/** Keeps the score of a part, in the order of the parts. */
export function keepScore(part: string, mutants: readonly Mutant[]): void {
  const count = (fate: Mutant['fate']): number => mutants.filter((mutant) => mutant.fate === fate).length;
  const scores = { ...readScores(), [part]: { noticed: count('noticed'), survived: count('survived') } };
  const ordered = Object.keys(MUTATED_PARTS).flatMap((name) => (scores[name] ? [[name, scores[name]]] : []));
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`);
}
