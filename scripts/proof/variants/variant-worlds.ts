import { pairwiseRows } from '../../../fixtures/chats/combinations.ts';
import { type NamedVariant, VARIANTS } from './sentences/variants.ts';
import type { ProvedWorld } from '../proved-world.ts';
import type { Choices } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { startSecondService } from '../second-service/start-second-service.ts';
import { VARIANT_CHOICES } from './variant-choices.ts';

/** A faithful service, and in what it differs from the common convention. */
export interface VariantWorld extends ProvedWorld {
  readonly variants: readonly NamedVariant[];
}

/** The service that shares nothing with the mock, as it is out of the box. */
export const SECOND_SERVICE_WORLD: ProvedWorld = {
  name: 'second-service',
  kind: 'second-service',
  start: (seed) => startSecondService(seed),
};

/** The same service where it keeps the common convention: no variant. */
export const CONVENTIONAL_WORLD: ProvedWorld = {
  name: 'conventional-service',
  kind: 'variant',
  start: (seed) => startSecondService(seed, CONVENTIONAL_CHOICES),
};

/** Every variant by itself. */
export const VARIANT_WORLDS: readonly VariantWorld[] = VARIANTS.map((variant) =>
  worldOf(variant.name, [variant]),
);

/** Few services in which every two variants of different points meet in at least one. */
export function pairedWorlds(): readonly VariantWorld[] {
  const points = [...Map.groupBy(VARIANTS, ({ point }) => point).values()];
  const rows = pairwiseRows(points.map((variants) => 1 + variants.length));
  // The first row keeps the convention everywhere.
  return rows.slice(1).map((row, index) => {
    const variants = row.map((level, point) => points[point]?.[level - 1]);
    return worldOf(
      `variants-combined-${index + 1}`,
      variants.filter((variant) => variant !== undefined),
    );
  });
}

function worldOf(name: string, variants: readonly NamedVariant[]): VariantWorld {
  const chosen = variants.map((variant) => VARIANT_CHOICES[variant.name]);
  const choices: Choices = Object.assign({}, CONVENTIONAL_CHOICES, ...chosen);
  return { name, kind: 'variant', variants, start: (seed) => startSecondService(seed, choices) };
}
