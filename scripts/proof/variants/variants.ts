import { ERROR_VARIANTS } from './error-variants.ts';
import { MODEL_VARIANTS } from './model-variants.ts';
import { REQUEST_VARIANTS } from './request-variants.ts';
import { RESPONSE_VARIANTS } from './response-variants.ts';
import { STREAM_VARIANTS } from './stream-variants.ts';
import type { Variant, Variants } from './variant.ts';

/** Every variant, by a name that says what the service does. */
export const VARIANTS: Variants = {
  ...REQUEST_VARIANTS,
  ...MODEL_VARIANTS,
  ...RESPONSE_VARIANTS,
  ...STREAM_VARIANTS,
  ...ERROR_VARIANTS,
};

/** So many services have room for every variant beside others. */
const SERVICES = 14;

/** Every variant once more, beside others: each goes to the next service in which nothing is chosen that it chooses. */
export function combinedVariants(): readonly Variants[] {
  const services: Record<string, Variant>[] = Array.from({ length: SERVICES }, () => ({}));
  for (const [index, [name, variant]] of Object.entries(VARIANTS).entries()) {
    const inTurn = [...services.slice(index % SERVICES), ...services.slice(0, index % SERVICES)];
    const place = inTurn.find((others) => !Object.values(others).some((other) => clash(variant, other)));
    if (place === undefined) throw new TypeError(`no service has room for ${name}`);
    place[name] = variant;
  }
  return services;
}

const LABELS: ReadonlySet<string> = new Set(['unreadable', 'untestable']);

function clash(one: Variant, other: Variant): boolean {
  return Object.keys(one).some((field) => !LABELS.has(field) && field in other);
}
