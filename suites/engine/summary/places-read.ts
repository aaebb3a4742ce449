import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { COUNT_KINDS, COUNT_NAMES, FINISH_REASON, USAGE } from '../reading/completions/read-completion.ts';
import { ERROR_CODE, ERROR_MESSAGE, REQUEST_ID } from '../reading/errors/read-error.ts';
import { type Point, words } from '../reading/locate.ts';
import { LIST, MODEL_ID } from '../reading/models/model-list.ts';
import { CONTEXT_TOKENS, INPUT_KINDS, VISION_FLAG } from '../reading/models/model-record.ts';
import { STREAM_TEXT } from '../reading/streams/read-stream.ts';

/** Where something is looked for, and under which names; they are compared without case and separators. */
export type ReadPlace = Pick<Point, 'pins' | 'in' | 'names'>;

const COUNTS = COUNT_KINDS.map((kind): ReadPlace => ({
  pins: [`response.usage.${kind}`],
  in: [''],
  names: words(COUNT_NAMES[kind]),
}));
const ERROR = [ERROR_CODE, ERROR_MESSAGE, REQUEST_ID];
const RESULT = [FINISH_REASON, USAGE, ...COUNTS];
const MODELS = [LIST, MODEL_ID];
const VISION = [VISION_FLAG, INPUT_KINDS];
const TEXT: ReadPlace = { ...STREAM_TEXT, pins: ['stream.text'] };

/** What is read of answers to judge a clause, where the specification shows no name. */
export const PLACES_READ: Readonly<Partial<Record<ClauseId, readonly ReadPlace[]>>> = {
  'SVC-2': MODELS,
  'SVC-3': VISION,
  'RES-3': [FINISH_REASON],
  'RES-4': [USAGE, ...COUNTS],
  'RES-5': [USAGE, ...COUNTS],
  'RES-6': RESULT,
  'REQ-9': [USAGE, ...COUNTS],
  'MOD-1': MODELS,
  'MOD-2': MODELS,
  'MOD-3': MODELS,
  'VIS-3': VISION,
  'MSG-4': VISION,
  'STR-3': [TEXT],
  'STR-5': [TEXT, FINISH_REASON, USAGE],
  'ERR-1': ERROR,
  'ERR-2': [REQUEST_ID],
  'ERR-9': ERROR,
  'LIM-1': [CONTEXT_TOKENS],
  'LIM-2': [CONTEXT_TOKENS],
  'LIM-5': [CONTEXT_TOKENS],
};
