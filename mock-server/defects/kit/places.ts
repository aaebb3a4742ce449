import { ENDPOINTS } from '../../../fixtures/chats/wire.ts';
import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { ReceivedRequest } from '../../protocol/request.ts';
import { ledgerAt } from './ledgers.ts';
import { isChat, isStreamed, requestedChat } from './requests.ts';
import { codeOf } from './responses.ts';

/** Where a service has a defect. */
export interface Place {
  /** What the story of a mutation that stands only there says of it; empty: nothing. */
  readonly words: string;
  /** Whether it has this request, or this answer to it. */
  readonly includes: (request: ReceivedRequest, answer?: Answer) => boolean;
}

const place = (words: string, includes: Place['includes']): Place => ({ words, includes });

/** The requests and answers that both places include. */
export function and(one: Place, other: Place): Place {
  return place(`${one.words} ${other.words}`, (...of) => one.includes(...of) && other.includes(...of));
}

/** The models that the mock lists first and second, and the beginning of its second key. */
export const CHEAPEST = 'compact-1';
export const ANOTHER = 'standard-1';
const SECOND_KEY = 'Bearer mock-Bn5';

const modelOf = (request: ReceivedRequest): unknown => requestedChat(request)?.['model'];
function isOther(request: ReceivedRequest): boolean {
  const model = modelOf(request);
  return model !== undefined && model !== CHEAPEST;
}

export const EVERYWHERE = place('', () => true);
export const WHOLE = place(
  'in whole answers',
  (request) => requestedChat(request) !== undefined && !isStreamed(request),
);
export const STREAMS = place('in streams', isStreamed);
export const MODEL_LIST = place('in the list of models', ({ url }) => url === `/v1${ENDPOINTS.models}`);
export const VISION = place('in the vision endpoint', ({ url }) => url === `/v1${ENDPOINTS.vision}`);
export const CHEAPEST_MODEL = place('for the cheapest model', (request) => modelOf(request) === CHEAPEST);
export const ONE_MODEL = place('for one of the models', (request) => modelOf(request) === ANOTHER);
export const OTHER_MODELS = place('for all models but the cheapest', isOther);
export const STREAMS_OF_OTHER_MODELS = and(STREAMS, OTHER_MODELS);
export const SECOND_KEY_ONLY = place(
  'for the second key',
  ({ authorization }) => authorization?.startsWith(SECOND_KEY) === true,
);

export const LARGE_CHATS = place(
  'for a body of more than 64 kB',
  (request) => isChat(request) && (request.body?.length ?? 0) > 65_536,
);

/** The errors with these codes. */
const errors = (about: string, ...codes: readonly unknown[]): Place =>
  place(`in errors about ${about}`, (_, answer) => answer !== undefined && codes.includes(codeOf(answer)));

export const KEY_ERRORS = errors('the key', 'missing_key', 'invalid_key');
export const SCOPE_ERRORS = errors('the scope', 'missing_scope');
export const MODEL_ERRORS = errors('an unknown model', 'unknown_model');
export const PARSE_ERRORS = errors('a body that is not JSON', 'invalid_json', 'invalid_encoding');
export const FIELD_ERRORS = errors('an unknown field', 'unknown_field');
export const RATE_LIMITS = errors('the rate limit', 'rate_limit');
export const TOKEN_LIMITS = errors('the token limit', 'token_limit');
export const VALIDATION_ERRORS = errors(
  'invalid requests',
  'unknown_field',
  'missing_field',
  'invalid_value',
  'image_not_allowed',
);
export const UNAVAILABLE = errors('unavailability', 'model_unavailable', 'service_unavailable');
/** The refusals of requests for a stream. */
export const REFUSED_STREAMS = place(
  'in refusals of streams',
  (request, answer) =>
    answer !== undefined && answer.status < 500 && codeOf(answer) !== undefined && isStreamed(request),
);

/** What a defect does, at one place only. */
export function at(
  { includes }: Pick<Place, 'includes'>,
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
