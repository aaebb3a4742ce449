import type { Choices } from '../second-service/choices.ts';
import { CONVENTIONAL_CHOICES } from '../second-service/conventional-choices.ts';
import { OWN_CHOICES } from '../second-service/own-choices.ts';
import { type SecondService, startSecondService } from '../second-service/start-second-service.ts';
import type { Unexercised } from './variant.ts';
import { type NamedVariant, VARIANTS } from './variants.ts';

/** The second service with choices of its own, and the variants by which it differs from the common convention. */
interface FaithfulService {
  readonly name: string;
  readonly variants: readonly NamedVariant[];
  /** Absent: not known. */
  readonly leaves?: Unexercised;
  readonly start: (seed: number) => Promise<SecondService>;
}

/** Slow, long, and without a Content-Length: of no other service is it as hard to tell that it buffers (STR-2). */
const IN_CHUNKS: Partial<Choices> = {
  latencyMs: () => 90,
  delivery: 'chunked',
  generate: (most, _, countTokens) => longestText(most, countTokens),
};

/** As many words as fit. */
function longestText(most: number, countTokens: (text: string) => number): string {
  const words = Array.from({ length: most }, (_, i) => `word${i}`);
  while (countTokens(words.join(' ')) > most) words.pop();
  return words.join(' ');
}

/** Every variant once more, beside others: as many services as the largest point has variants, each with one of a point. */
function combinedServices(): readonly FaithfulService[] {
  const points = [...Map.groupBy(VARIANTS, ({ point }) => point).values()];
  const most = Math.max(...points.map((variants) => variants.length));
  return Array.from({ length: most }, (_, index) =>
    serviceOf(
      `variants-combined-${index + 1}`,
      points.flatMap((variants, place) => variants[(index + place) % most] ?? []),
    ),
  );
}

function serviceOf(name: string, variants: readonly NamedVariant[], leaves?: Unexercised): FaithfulService {
  const choices: Choices = Object.assign({}, CONVENTIONAL_CHOICES, ...variants.map((each) => each.choices));
  return { name, variants, ...(leaves && { leaves }), start: (seed) => startSecondService(seed, choices) };
}

const NOTHING: Unexercised = { unreadable: [], untestable: [] };

/** The second service with choices of its own and with the common convention, with each variant, and with many. */
export const FAITHFUL_SERVICES: readonly FaithfulService[] = [
  {
    name: 'second-service',
    variants: [],
    // Its finish reason and codes stand where the tested client does not look.
    leaves: { ...NOTHING, untestable: ['VER-2'] },
    start: (seed) => startSecondService(seed, OWN_CHOICES),
  },
  serviceOf('conventional-service', [], NOTHING),
  {
    name: 'slow-but-buffered-in-chunks',
    variants: [],
    leaves: NOTHING,
    start: (seed) => startSecondService(seed, { ...CONVENTIONAL_CHOICES, ...IN_CHUNKS }),
  },
  ...VARIANTS.map((variant) => serviceOf(variant.name, [variant], variant)),
  ...combinedServices(),
];
