import type { ListedModel, Survey } from '../model/target-info.ts';

const MOST_OTHERS = 8;

/** The next few after the cheapest of these, by default of all listed; none where every completion counts. */
export function otherModels(
  { models, thrifty }: Survey,
  among: readonly ListedModel[] = models,
): readonly ListedModel[] {
  return thrifty ? [] : among.slice(1, 1 + MOST_OTHERS);
}
