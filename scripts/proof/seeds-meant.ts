import type { ProvedWorld } from './proved-world.ts';
import type { Size } from './size.ts';

/** With how many seeds a defect is to be tried, and whatever has none. */
export interface Seeds {
  readonly defects: number;
  readonly others: number;
}

/** A run at full size draws thousands of inputs, so that of what has no defect a few seeds try as much as many small runs. */
export const SEEDS_MEANT = {
  full: { defects: 20, others: 5 },
  live: { defects: 20, others: 20 },
  unaided: { defects: 20, others: 0 },
} as const satisfies Readonly<Record<Size, Seeds>>;

/** Whether a seed, from 1 on, is one that a world is tried with: a defect with as many as somebody asks for. */
export function isMeant({ kind }: Pick<ProvedWorld, 'kind'>, size: Size, seed: number): boolean {
  return kind === 'defect' || seed <= SEEDS_MEANT[size].others;
}
