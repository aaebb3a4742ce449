import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Choices } from '../second-service/choices.ts';
import * as errors from './error-variants.ts';
import * as models from './model-variants.ts';
import * as requests from './request-variants.ts';
import * as responses from './response-variants.ts';
import * as streams from './stream-variants.ts';
import type { VariantLabel, Variants } from './variant.ts';

/** The points in which faithful services differ, in the order of the specification: the clause that allows it, and the variants. */
const POINTS: Readonly<Record<string, readonly [ClauseId, Variants]>> = {
  'bounds and defaults': ['REQ-8', requests.BOUNDS],
  'rules for messages': ['MSG-6', requests.MESSAGE_RULES],
  'image parts': ['MSG-5', requests.IMAGE_PART_SHAPES],
  bodies: ['ERR-9', requests.BODIES],
  'finish reason': ['RES-6', responses.FINISH_REASONS],
  usage: ['RES-6', responses.USAGES],
  completions: ['RES-6', responses.COMPLETIONS],
  texts: ['RES-2', responses.TEXTS],
  'tokens counted': ['LIM-5', responses.TOKEN_COUNTS],
  'writing of JSON': ['RES-6', responses.JSON_TEXTS],
  'list of models': ['MOD-3', models.MODEL_LISTS],
  'facts of a model': ['MOD-3', models.MODEL_FACTS],
  'number of models': ['MOD-3', models.MODEL_NUMBERS],
  contexts: ['LIM-5', models.CONTEXTS],
  vision: ['VIS-3', models.VISION_ANSWERS],
  'events of a stream': ['STR-5', streams.STREAM_EVENTS],
  'framing of a stream': ['STR-5', streams.STREAM_FRAMES],
  'end of a stream': ['STR-5', streams.STREAM_ENDS],
  delivery: ['STR-5', streams.DELIVERIES],
  pace: ['STR-2', streams.PACES],
  'Idempotency-Keys': ['IDEM-4', requests.REPEATS],
  'error objects': ['ERR-9', errors.ERROR_SHAPES],
  codes: ['ERR-9', errors.ERROR_CODES],
  'request IDs': ['ERR-9', errors.REQUEST_IDS],
  statuses: ['ERR-9', errors.STATUSES],
  'other paths and methods': ['ERR-9', errors.ELSEWHERE],
  headers: ['ERR-9', requests.HEADERS_SENT],
  compression: ['ERR-9', requests.COMPRESSIONS],
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
