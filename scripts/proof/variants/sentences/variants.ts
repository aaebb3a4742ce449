import { ELSEWHERE, ERROR_CODES, ERROR_SHAPES, REQUEST_IDS, STATUSES } from './error-variants.ts';
import { CONTEXTS, MODEL_FACTS, MODEL_LISTS, MODEL_NUMBERS, VISION_ANSWERS } from './model-variants.ts';
import {
  BODIES,
  BOUNDS,
  COMPRESSIONS,
  HEADERS_SENT,
  IMAGE_PARTS,
  MESSAGE_RULES,
  REPEATS,
} from './request-variants.ts';
import { COMPLETIONS, FINISH_REASONS, JSON_TEXTS, TEXTS, TOKEN_COUNTS, USAGES } from './response-variants.ts';
import { DELIVERIES, PACES, STREAM_ENDS, STREAM_EVENTS, STREAM_FRAMES } from './stream-variants.ts';
import type { Variant, Variants } from './variant.ts';

/** The points in which faithful services differ, in the order of the specification, with the variants of each. */
const POINTS = {
  'bounds and defaults': BOUNDS,
  'rules for messages': MESSAGE_RULES,
  'image parts': IMAGE_PARTS,
  bodies: BODIES,
  'finish reason': FINISH_REASONS,
  usage: USAGES,
  completions: COMPLETIONS,
  texts: TEXTS,
  'tokens counted': TOKEN_COUNTS,
  'writing of JSON': JSON_TEXTS,
  'list of models': MODEL_LISTS,
  'facts of a model': MODEL_FACTS,
  'number of models': MODEL_NUMBERS,
  contexts: CONTEXTS,
  vision: VISION_ANSWERS,
  'events of a stream': STREAM_EVENTS,
  'framing of a stream': STREAM_FRAMES,
  'end of a stream': STREAM_ENDS,
  delivery: DELIVERIES,
  pace: PACES,
  'Idempotency-Keys': REPEATS,
  'error objects': ERROR_SHAPES,
  codes: ERROR_CODES,
  'request IDs': REQUEST_IDS,
  statuses: STATUSES,
  'other paths and methods': ELSEWHERE,
  headers: HEADERS_SENT,
  compression: COMPRESSIONS,
} as const satisfies Readonly<Record<string, Variants>>;

type NameAt<Point extends keyof typeof POINTS> = Point extends unknown ? keyof (typeof POINTS)[Point] : never;

/** A faithful service that differs from the usual one in a single point. */
export type VariantName = NameAt<keyof typeof POINTS>;

export interface NamedVariant extends Variant {
  readonly name: VariantName;
  /** In which point it differs; variants of different points can be combined. */
  readonly point: keyof typeof POINTS;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of an object are known at its declaration
const namesOf = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

/** Every variant, point by point. */
export const VARIANTS: readonly NamedVariant[] = namesOf(POINTS).flatMap((point) => {
  const variants: Readonly<Partial<Record<VariantName, Variant>>> = POINTS[point];
  return namesOf(variants).flatMap((name) => {
    const variant = variants[name];
    return variant === undefined ? [] : [{ ...variant, name, point }];
  });
});
