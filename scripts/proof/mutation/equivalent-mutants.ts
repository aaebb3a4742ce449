import { readFileSync } from 'node:fs';
import type { Mutation } from './mutant.ts';

/** Mutations that no test can notice, and why. */
export interface EquivalentMutants {
  readonly because: string;
  readonly mutants: readonly Mutation[];
}

const FILE = new URL('equivalent-mutants.json', import.meta.url);

/** A run fails on a survivor that is missing here, and on a mutant here that did not survive. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutants[] = JSON.parse(readFileSync(FILE, 'utf8'));
