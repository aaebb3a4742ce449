import type { DefectHooks } from '../chat/defect-hooks.ts';
import { isObject, type Members, without } from '../protocol/json.ts';
import { completeWorld } from '../world/check-world.ts';
import type { WorldPart } from '../world/world-schema.ts';
import { releaseOf } from './kit/defect.ts';
import { readAt, readField, readMessages } from './kit/requests.ts';
import { isCompletion, rewriteAnswers, rewriteErrorItems, rewriteRecords } from './kit/responses.ts';

const change = (part: WorldPart): DefectHooks => ({ changeWorld: (world) => completeWorld(part, world) });

type Choices = WorldPart['choices'];

/** A release that makes another choice where the specification is silent. */
const choiceOf = (point: Parameters<typeof releaseOf>[0], pinned: unknown, choices: Choices) =>
  releaseOf(point, pinned, change({ choices }));

type Refused = 'missing_scope' | 'unknown_field' | 'rate_limit';

const errorOf = (item: 'code' | 'status', kind: Refused, pinned: unknown, now: unknown) =>
  choiceOf(`error.${item}.${kind}`, pinned, { errors: { overrides: { [kind]: { [item]: now } } } });

const TOOL_CALLS = { 'SVC-5': 'such a message may have no text beside its call' } as const;

const skipToolCalls = readMessages((message) =>
  Object.hasOwn(message, 'tool_calls')
    ? { ...without(message, 'tool_calls'), content: message['content'] ?? 'Hi.' }
    : message,
);

const nullAbsent = (field: string) => readField(field)((value) => value ?? undefined);

const isText = (part: unknown): boolean => isObject(part) && part['type'] === 'text';
const joined = (content: unknown): unknown =>
  Array.isArray(content) && content.length > 0 && content.every(isText) ? 'Hi.' : content;

const addField = rewriteRecords((record) => ({ ...record, root: null }));
const withKeyAsId = (items: Members, { idempotencyKey }: { idempotencyKey: string | undefined }): Members =>
  idempotencyKey === undefined ? items : { ...items, request_id: idempotencyKey };

const CONTEXTS = { 'compact-1': 1024, 'standard-1': 8192, 'vista-1': 32_768, 'steady-1': 16_384 };
const MODEL_FIELDS = ['context_length', 'created', 'id', 'object', 'owned_by', 'pricing'];
const FIELDS = ['choices', 'created', 'id', 'model', 'object', 'usage'];

/** What a profile has pinned changes (the open clauses). */
export const OPEN_POINT_DEFECTS = {
  'model-record-field-added': releaseOf('models.fields', MODEL_FIELDS, addField),
  'temperature-bound-lowered': choiceOf('bounds.temperature.2', 'served', {
    request: { temperatureMaximum: 1 },
  }),
  'temperature-null-absent': releaseOf('defaults.temperature.null', 'refused', nullAbsent('temperature')),
  'max-tokens-null-absent': releaseOf('defaults.max_tokens.null', 'refused', nullAbsent('max_tokens')),
  'stream-null-absent': releaseOf('defaults.stream.null', 'refused', nullAbsent('stream')),
  'image-data-refused': choiceOf('image.image_url_object', 'served', { images: { schemes: ['https'] } }),
  'text-parts-joined': releaseOf('content.text_parts', 'refused', readAt('messages.*.content')(joined)),
  'empty-content-refused': choiceOf('content.empty', 'served', { messages: { emptyContent: 'refuse' } }),
  'tool-calls-skipped': {
    ...releaseOf('message.tool_calls', 'refused', skipToolCalls),
    alsoBlamed: TOOL_CALLS,
  },
  'response-field-added': choiceOf('response.fields', FIELDS, {
    response: { extraFields: { system_fingerprint: 'fp_0' } },
  }),
  'vision-by-map': choiceOf('vision.list', '/data', { vision: { shape: 'map' } }),
  'stream-unterminated': choiceOf('stream.terminator', '[DONE]', { stream: { terminator: null } }),
  'repeat-served-again': choiceOf('idempotency.repeated_same', 'replayed', {
    idempotency: { repeated: 'serve' },
  }),
  'missing-scope-unauthorized': errorOf('status', 'missing_scope', 403, 401),
  'unknown-field-renamed': errorOf('code', 'unknown_field', 'unknown_field', 'unrecognized_keys'),
  'request-id-renamed': choiceOf('error.request_id', '/error/request_id', {
    errors: { requestIdField: 'trace_id' },
  }),
  'request-id-from-caller': releaseOf('error.request_id.source', 'own', rewriteErrorItems(withKeyAsId)),
  'rate-limit-renamed': errorOf('code', 'rate_limit', 'rate_limit', 'slow_down'),
  'retry-after-lengthened': releaseOf(
    'limits.retry_after',
    '1',
    change({ limits: { retryAfterSeconds: 2 } }),
  ),
  'context-size-changed': releaseOf('limits.context_tokens', CONTEXTS, {
    changeWorld: (world) => {
      const [first, ...others] = world.models;
      return first ? { ...world, models: [{ ...first, contextTokens: 2048 }, ...others] } : world;
    },
  }),
  'limit-header-added': releaseOf(
    'limits.headers',
    [],
    rewriteAnswers(isCompletion, (answer) => ({
      ...answer,
      headers: [...answer.headers, 'x-ratelimit-remaining-requests', '99'],
    })),
  ),
  'deprecation-announced': choiceOf('versioning.headers', [], { versioning: { deprecation: '@1798761600' } }),
};
