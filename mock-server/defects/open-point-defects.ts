import type { Choices, Model, World } from '../world/world.ts';
import type { Defect } from './kit/defect.ts';
import { isObject, mapMember } from './kit/json-members.ts';
import { rewriteMessage } from './kit/request-hooks.ts';
import { rewriteErrorItems, isCompletion, rewriteModelList, rewriteResponse } from './kit/response-hooks.ts';

type WorldChange = (world: World) => World;

/** Makes other choices where the specification is silent. */
function choose(change: (choices: Choices) => Partial<Choices>): WorldChange {
  return (world) => ({ ...world, choices: { ...world.choices, ...change(world.choices) } });
}

const overrideErrors = (changed: Choices['errors']['overrides']): WorldChange =>
  choose(({ errors }) => ({ errors: { ...errors, overrides: { ...errors.overrides, ...changed } } }));

const isText = (part: unknown): boolean => isObject(part) && part['type'] === 'text';

const doubled = (model: Model): Model =>
  model.id === 'compact-1' ? { ...model, contextTokens: model.contextTokens * 2 } : model;

/** A release changes what a profile has pinned: nothing else can be wrong about an open point. */
export const OPEN_POINT_DEFECTS = {
  'model-record-field-added': {
    clauses: ['MOD-3'],
    pins: { 'models.fields': ['context_length', 'created', 'id', 'object', 'owned_by', 'pricing'] },
    story: 'A release adds a field to model records',
    onResponse: rewriteModelList((records) =>
      records.map((each) => (isObject(each) ? { ...each, root: null } : each)),
    ),
  },
  'temperature-bound-lowered': {
    clauses: ['REQ-8'],
    pins: { 'bounds.temperature.2': 'served' },
    story: 'A release lowers the highest temperature from 2 to 1',
    changeWorld: choose(({ request }) => ({ request: { ...request, temperatureMaximum: 1 } })),
  },
  'image-data-refused': {
    clauses: ['MSG-5'],
    pins: { 'image.image_url_object': 'served' },
    story: 'A release accepts images by https only',
    changeWorld: choose(() => ({ images: { schemes: ['https'] } })),
  },
  'text-parts-joined': {
    clauses: ['MSG-5'],
    pins: { 'content.text_parts': 'refused' },
    story: 'A release joins a list of text parts into one text',
    onRequest: rewriteMessage((message) =>
      mapMember(message, 'content', (content) =>
        Array.isArray(content) && content.length > 0 && content.every(isText) ? 'Hi.' : content,
      ),
    ),
  },
  'empty-content-refused': {
    clauses: ['MSG-6'],
    pins: { 'content.empty': 'served' },
    story: 'A release refuses messages with empty content',
    changeWorld: choose(({ messages }) => ({ messages: { ...messages, emptyContent: 'refuse' } })),
  },
  'response-field-added': {
    clauses: ['RES-6'],
    pins: { 'response.fields': ['choices', 'created', 'id', 'model', 'object', 'usage'] },
    story: 'A release adds a fingerprint to every response',
    changeWorld: choose(({ response }) => ({
      response: { ...response, extraFields: { system_fingerprint: 'fp_0' } },
    })),
  },
  'vision-by-map': {
    clauses: ['VIS-3'],
    pins: { 'vision.list': '/data' },
    story: 'A release turns the list of the vision endpoint into a map',
    changeWorld: choose(() => ({ vision: { shape: 'map' } })),
  },
  'stream-unterminated': {
    clauses: ['STR-5'],
    pins: { 'stream.terminator': '[DONE]' },
    story: 'A release drops the event that ends a stream',
    changeWorld: choose(({ stream }) => ({ stream: { ...stream, terminator: null } })),
  },
  'repeat-served-again': {
    clauses: ['IDEM-4'],
    pins: { 'idempotency.repeated_same': 'replayed' },
    story: 'A release forgets Idempotency-Keys, and serves a repeated request again',
    changeWorld: choose(({ idempotency }) => ({ idempotency: { ...idempotency, repeated: 'serve' } })),
  },
  'missing-scope-unauthorized': {
    clauses: ['AUTH-4'],
    pins: { 'error.status.missing_scope': 403 },
    story: 'A release answers a missing scope with 401 instead of 403',
    changeWorld: overrideErrors({ missing_scope: { status: 401 } }),
  },
  'unknown-field-renamed': {
    clauses: ['ERR-9'],
    pins: { 'error.code.unknown_field': 'unknown_field' },
    story: 'A release renames the code of an unknown field',
    changeWorld: overrideErrors({ unknown_field: { code: 'unrecognized_keys' } }),
  },
  'request-id-renamed': {
    clauses: ['ERR-9'],
    pins: { 'error.request_id': '/error/request_id' },
    story: 'A release calls the request ID a trace ID',
    changeWorld: choose(({ errors }) => ({ errors: { ...errors, requestIdField: 'trace_id' } })),
  },
  'request-id-from-caller': {
    clauses: ['ERR-9'],
    pins: { 'error.request_id.source': 'own' },
    story: 'A release calls the Idempotency-Key of the caller the request ID',
    onResponse: rewriteErrorItems([], (items, _, { idempotencyKey }) =>
      idempotencyKey === undefined ? items : { ...items, request_id: idempotencyKey },
    ),
  },
  'rate-limit-renamed': {
    clauses: ['ERR-9'],
    pins: { 'error.code.rate_limit': 'rate_limit' },
    story: 'A release renames the code of a rate limit error',
    changeWorld: overrideErrors({ rate_limit: { code: 'slow_down' } }),
  },
  'retry-after-lengthened': {
    clauses: ['LIM-5'],
    pins: { 'limits.retry_after': '1' },
    story: 'A release asks to wait for two seconds instead of one after a rate limit error',
    changeWorld: (world) => ({ ...world, limits: { ...world.limits, retryAfterSeconds: 2 } }),
  },
  'context-size-changed': {
    clauses: ['LIM-5'],
    pins: {
      'limits.context_tokens': {
        'compact-1': 1024,
        'standard-1': 8192,
        'vista-1': 32_768,
        'steady-1': 16_384,
      },
    },
    story: 'A release doubles the context of a model',
    changeWorld: (world) => ({ ...world, models: world.models.map(doubled) }),
  },
  'limit-header-added': {
    clauses: ['LIM-5'],
    pins: { 'limits.headers': [] },
    story: 'A release says in a header how many requests are left',
    onResponse: rewriteResponse(isCompletion, (answer) => ({
      ...answer,
      headers: [...answer.headers, 'x-ratelimit-remaining-requests', '99'],
    })),
  },
  'deprecation-announced': {
    clauses: ['VER-3'],
    pins: { 'versioning.headers': [] },
    story: 'A release announces its end in a header',
    changeWorld: choose(({ versioning }) => ({ versioning: { ...versioning, deprecation: '@1798761600' } })),
  },
} as const satisfies Readonly<Record<string, Defect>>;
