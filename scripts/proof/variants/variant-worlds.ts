import type { ProofWorld, Unexercised } from '../model/proof-world.ts';
import type { Choices } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { startSecondService } from '../second-service/start-second-service.ts';
import { type NamedVariant, VARIANTS } from './variants.ts';

/** A faithful service, and the variants by which it differs from the common convention. */
export type VariantWorld = ProofWorld & { readonly variants: readonly NamedVariant[] };

/** The second service as it is out of the box. */
export const SECOND_SERVICE_WORLD: ProofWorld = {
  name: 'second-service',
  kind: 'second-service',
  // Its finish reason and codes stand where the tested client does not look.
  leaves: { unreadable: [], untestable: ['VER-2'] },
  start: (seed) => startSecondService(seed),
};

/** The second service with the common convention: no variant. */
export const CONVENTIONAL_WORLD: ProofWorld = {
  name: 'conventional-service',
  kind: 'variant',
  leaves: { unreadable: [], untestable: [] },
  start: (seed) => startSecondService(seed, CONVENTIONAL_CHOICES),
};

/** Slow, long, and without a Content-Length: of no other service is it as hard to tell that it buffers (STR-2). */
export const IN_CHUNKS_WORLD: ProofWorld = {
  name: 'slow-but-buffered-in-chunks',
  kind: 'variant',
  leaves: { unreadable: [], untestable: [] },
  start: (seed) =>
    startSecondService(seed, {
      ...CONVENTIONAL_CHOICES,
      latencyMs: () => 90,
      delivery: 'chunked',
      generate: (most, _, countTokens) => longestText(most, countTokens),
    }),
};

/** As many words as fit. */
function longestText(most: number, countTokens: (text: string) => number): string {
  const words = Array.from({ length: most }, (_, i) => `word${i}`);
  while (countTokens(words.join(' ')) > most) words.pop();
  return words.join(' ');
}

/** Every variant by itself. */
export const VARIANT_WORLDS: readonly VariantWorld[] = VARIANTS.map((variant) =>
  worldOf(variant.name, [variant], variant),
);

/** Every variant once more, beside others: as many services as the largest point has variants, each with one of a point. */
export function combinedWorlds(): readonly VariantWorld[] {
  const points = [...Map.groupBy(VARIANTS, ({ point }) => point).values()];
  const most = Math.max(...points.map((variants) => variants.length));
  return Array.from({ length: most }, (_, index) =>
    worldOf(
      `variants-combined-${index + 1}`,
      points.flatMap((variants, place) => variants[(index + place) % most] ?? []),
    ),
  );
}

function worldOf(name: string, variants: readonly NamedVariant[], leaves?: Unexercised): VariantWorld {
  const chosen = variants.map((variant) => variant.choices);
  const choices: Choices = Object.assign({}, CONVENTIONAL_CHOICES, ...chosen);
  const start: ProofWorld['start'] = (seed) => startSecondService(seed, choices);
  return { name, kind: 'variant', variants, start, ...(leaves && { leaves }) };
}
