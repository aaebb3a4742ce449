import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Choices } from '../second-service/choices.ts';
import { ELSEWHERE, ERROR_CODES, ERROR_SHAPES, REQUEST_IDS, STATUSES } from './error-variants.ts';
import { CONTEXTS, MODEL_FACTS, MODEL_LISTS, MODEL_NUMBERS, VISION_ANSWERS } from './model-variants.ts';
import {
  BODIES,
  BOUNDS,
  COMPRESSIONS,
  HEADERS_SENT,
  IMAGE_PART_SHAPES,
  MESSAGE_RULES,
  REPEATS,
} from './request-variants.ts';
import { COMPLETIONS, FINISH_REASONS, JSON_TEXTS, TEXTS, TOKEN_COUNTS, USAGES } from './response-variants.ts';
import { DELIVERIES, PACES, STREAM_ENDS, STREAM_EVENTS, STREAM_FRAMES } from './stream-variants.ts';
import type { VariantLabel, Variants } from './variant.ts';

/** The points in which faithful services differ, in the order of the specification: the clause that allows it, and the variants. */
const POINTS: Readonly<Record<string, readonly [ClauseId, Variants]>> = {
  'bounds and defaults': ['REQ-8', BOUNDS],
  'rules for messages': ['MSG-6', MESSAGE_RULES],
  'image parts': ['MSG-5', IMAGE_PART_SHAPES],
  bodies: ['ERR-9', BODIES],
  'finish reason': ['RES-6', FINISH_REASONS],
  usage: ['RES-6', USAGES],
  completions: ['RES-6', COMPLETIONS],
  texts: ['RES-2', TEXTS],
  'tokens counted': ['LIM-5', TOKEN_COUNTS],
  'writing of JSON': ['RES-6', JSON_TEXTS],
  'list of models': ['MOD-3', MODEL_LISTS],
  'facts of a model': ['MOD-3', MODEL_FACTS],
  'number of models': ['MOD-3', MODEL_NUMBERS],
  contexts: ['LIM-5', CONTEXTS],
  vision: ['VIS-3', VISION_ANSWERS],
  'events of a stream': ['STR-5', STREAM_EVENTS],
  'framing of a stream': ['STR-5', STREAM_FRAMES],
  'end of a stream': ['STR-5', STREAM_ENDS],
  delivery: ['STR-5', DELIVERIES],
  pace: ['STR-2', PACES],
  'Idempotency-Keys': ['IDEM-4', REPEATS],
  'error objects': ['ERR-9', ERROR_SHAPES],
  codes: ['ERR-9', ERROR_CODES],
  'request IDs': ['ERR-9', REQUEST_IDS],
  statuses: ['ERR-9', STATUSES],
  'other paths and methods': ['ERR-9', ELSEWHERE],
  headers: ['ERR-9', HEADERS_SENT],
  compression: ['ERR-9', COMPRESSIONS],
};

/** A faithful service that differs from the common convention in a single point. */
export interface NamedVariant extends Required<VariantLabel> {
  readonly name: string;
  /** Variants of different points can be combined. */
  readonly point: string;
  readonly choices: Partial<Choices>;
}

/** Every variant, point by point. */
export const VARIANTS: readonly NamedVariant[] = Object.entries(POINTS).flatMap(
  ([point, [clauseOfPoint, variants]]) =>
    Object.entries(variants).map(([name, variant]) => {
      const { what, clause = clauseOfPoint, unreadable = [], untestable = [], ...choices } = variant;
      return { name, point, what, clause, unreadable, untestable, choices };
    }),
);
