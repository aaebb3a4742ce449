import type { Survey } from '../../../suites/kit/model/target-info.ts';
import { SIZED } from '../size.ts';
import { HELD_OUT_FAMILIES, type HeldOutFamily } from './held-out-family.ts';
import { thingsSent } from './things-sent.ts';

/** How many defects of a family runs within the caps of a live target find. */
export interface HeldOutFigure {
  readonly defects: number;
  /** Those that every seed finds. */
  readonly always: number;
  /** The part of them all that is found after so many seeds, from 1 on; after one, in the mean of all seeds. */
  readonly after: Readonly<Record<number, number>>;
}

/** By the name of the family. */
export type HeldOutFigures = Readonly<Record<string, HeldOutFigure>>;

export const SEED_COUNTS = [1, 5, 10, 20] as const;

const SEEDS = Array.from({ length: Math.max(...SEED_COUNTS) }, (_, i) => i + 1);

export async function heldOutFigures(survey: Survey): Promise<HeldOutFigures> {
  const figures: [string, HeldOutFigure][] = [];
  for (const family of HELD_OUT_FAMILIES) figures.push([family.name, await figureOf(family, survey)]);
  return Object.fromEntries(figures);
}

async function figureOf(family: HeldOutFamily, survey: Survey): Promise<HeldOutFigure> {
  const { runs } = SIZED.live;
  const all = await thingsSent(family, survey, 1, 0);
  const found: ReadonlySet<string>[] = [];
  for (const seed of SEEDS) found.push(await thingsSent(family, survey, seed, runs));
  const rateAfter = (count: number): number =>
    new Set(found.slice(0, count).flatMap((things) => [...things])).size / all.size;
  const meanRate = found.reduce((sum, { size }) => sum + size, 0) / found.length / all.size;
  return {
    defects: all.size,
    always: [...all].filter((thing) => found.every((things) => things.has(thing))).length,
    after: Object.fromEntries(SEED_COUNTS.map((count) => [count, count === 1 ? meanRate : rateAfter(count)])),
  };
}
