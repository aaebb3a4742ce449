import { ENDPOINTS } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import type { Answer, ReceivedRequest } from '../../protocol/answer.ts';
import { ledgerAt } from './ledgers.ts';
import { isChat, isStreamed, requestedChat } from './requests.ts';
import { codeOf } from './responses.ts';

/** Whether a service has a defect for this request, or in this answer to it. */
type Includes = (request: ReceivedRequest, answer?: Answer) => boolean;

/** What is blamed for a mutation. */
export interface Blame {
  /** The clauses it breaks: every run blames each of them. */
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** Clauses that a run may blame too, because it breaks them where it meets certain requests, and why. */
  readonly alsoBlamed?: Readonly<Partial<Record<ClauseId, string>>>;
}

/** Where a service has a defect, and, if it is blamed for something else there, for what. */
export interface DefectPlace<Words extends string = string> extends Partial<Blame> {
  /** What the name and the story of a mutation that stands only there say of it; empty: nothing. */
  readonly words: Words;
  readonly includes: Includes;
}

function place<const Words extends string>(words: Words, includes: Includes): DefectPlace<Words> {
  return { words, includes };
}

/** The requests and answers that both places include. */
export function and<One extends string, Other extends string>(
  one: DefectPlace<One>,
  other: DefectPlace<Other>,
): DefectPlace<`${One} ${Other}`> {
  return place(`${one.words} ${other.words}`, (...of) => one.includes(...of) && other.includes(...of));
}

/** The models that the mock lists first and second, and the beginning of its second key. */
export const CHEAPEST = 'compact-1';
export const ANOTHER = 'standard-1';
const SECOND = 'Bearer mock-Bn5';

const modelOf = (request: ReceivedRequest): unknown => requestedChat(request)?.['model'];
const isDearer = (model: unknown): boolean => model !== undefined && model !== CHEAPEST;
const isWhole = (request: ReceivedRequest): boolean =>
  requestedChat(request) !== undefined && !isStreamed(request);

export const EVERYWHERE = place('', () => true);
export const WHOLE = place('in whole answers', isWhole);
export const STREAMS = place('in streams', isStreamed);
export const MODEL_LIST = place('for the list of models', ({ url }) => url === `/v1${ENDPOINTS.models}`);
export const VISION = place('for the vision endpoint', ({ url }) => url === `/v1${ENDPOINTS.vision}`);
export const CHEAPEST_MODEL = place('for the cheapest model', (request) => modelOf(request) === CHEAPEST);
export const ONE_MODEL = place('for one model', (request) => modelOf(request) === ANOTHER);
export const DEARER_MODELS = place('for dearer models', (request) => isDearer(modelOf(request)));
export const STREAMS_OF_DEARER_MODELS = and(STREAMS, DEARER_MODELS);
export const SECOND_KEY = place(
  'for the second key',
  ({ authorization }) => authorization?.startsWith(SECOND) === true,
);
export const LARGE_BODIES = place(
  'for large bodies',
  (request) => isChat(request) && (request.body?.length ?? 0) > 65_536,
);

/** The errors with these codes. */
const errors = <const Words extends string>(words: Words, ...codes: readonly unknown[]): DefectPlace<Words> =>
  place(words, (_, answer) => answer !== undefined && codes.includes(codeOf(answer)));

export const KEY_ERRORS = errors('in errors about the key', 'missing_key', 'invalid_key');
export const SCOPE_ERRORS = errors('in errors about the scope', 'missing_scope');
export const MODEL_ERRORS = errors('in errors about the model', 'unknown_model');
export const PARSE_ERRORS = errors('in errors about the syntax', 'invalid_json', 'invalid_encoding');
export const FIELD_ERRORS = errors('in errors about unknown fields', 'unknown_field');
export const RATE_LIMITS = errors('in rate limit errors', 'rate_limit');
export const TOKEN_LIMITS = errors('in token limit errors', 'token_limit');
export const UNAVAILABLE = errors('in errors about availability', 'model_unavailable', 'service_unavailable');
export const VALIDATION_ERRORS = errors(
  'in validation errors',
  'unknown_field',
  'missing_field',
  'invalid_value',
  'image_not_allowed',
);
export const REFUSED_STREAMS = place(
  'in refusals of streams',
  (request, answer) =>
    answer !== undefined && answer.status < 500 && codeOf(answer) !== undefined && isStreamed(request),
);

/** A mutation at each of these places. */
export interface Placed<Words extends string = string> {
  readonly places: readonly DefectPlace<Words>[];
  readonly hooks: DefectHooks;
}

export function at<const Words extends string>(
  places: readonly DefectPlace<Words>[],
  hooks: DefectHooks,
): Placed<Words> {
  return { places, hooks };
}

/** What a defect does, where it is. */
export function only(
  includes: Includes,
  { onRequest, onResponse, wrapLedger, ...rest }: DefectHooks,
): DefectHooks {
  return {
    ...rest,
    ...(onRequest && {
      onRequest: (exchange, next, service) =>
        includes(exchange.request) ? onRequest(exchange, next, service) : next(exchange),
    }),
    ...(onResponse && {
      onResponse: (answer, request, service) =>
        includes(request, answer) ? onResponse(answer, request, service) : answer,
    }),
    ...(wrapLedger && ledgerAt(includes, wrapLedger)),
  };
}
