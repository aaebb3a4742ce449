import type { OPEN_DEFECTS } from './open-defects.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Choices } from '../world/world.ts';
import type { Model } from '../world/world.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import type { Breaches } from './breaches.ts';
import { changing, isFields } from './fields.ts';
import { misreadsMessage } from './misreads.ts';
import { isCompletion, misspells, withJson } from './misspells.ts';

/** Fills open points otherwise than the world that was asked for. */
function chooses(change: (choices: Choices) => Partial<Choices>): DefectHooks {
  return { changeWorld: (world) => ({ ...world, choices: { ...world.choices, ...change(world.choices) } }) };
}

const overrides = (changed: Choices['errors']['overrides']): DefectHooks =>
  chooses(({ errors }) => ({ errors: { ...errors, overrides: { ...errors.overrides, ...changed } } }));

const isText = (part: unknown): boolean => isFields(part) && part['type'] === 'text';

const doubled = (model: Model): Model =>
  model.id === 'compact-1' ? { ...model, contextTokens: model.contextTokens * 2 } : model;

export const OPEN_BREACHES: Breaches<typeof OPEN_DEFECTS> = {
  'model-record-field-added': () =>
    misspells(
      ({ status }, { url }) => status === 200 && url === `/v1${ENDPOINTS.models}`,
      (answer) =>
        withJson(answer, (body) =>
          changing(body, 'data', (records) =>
            Array.isArray(records) ? records.map((each: object) => ({ ...each, root: null })) : records,
          ),
        ),
    ),
  'temperature-bound-lowered': () =>
    chooses(({ request }) => ({ request: { ...request, temperatureMaximum: 1 } })),
  'image-data-refused': () => chooses(() => ({ images: { schemes: ['https'] } })),
  'text-parts-joined': () =>
    misreadsMessage((message) =>
      changing(message, 'content', (content) =>
        Array.isArray(content) && content.length > 0 && content.every(isText) ? 'Hi.' : content,
      ),
    ),
  'empty-content-refused': () =>
    chooses(({ messages }) => ({ messages: { ...messages, emptyContent: 'refuse' } })),
  'response-field-added': () =>
    chooses(({ response }) => ({ response: { ...response, extraFields: { system_fingerprint: 'fp_0' } } })),
  'vision-by-map': () => chooses(() => ({ vision: { shape: 'map' } })),
  'stream-unterminated': () => chooses(({ stream }) => ({ stream: { ...stream, terminator: null } })),
  'repeat-served-again': () =>
    chooses(({ idempotency }) => ({ idempotency: { ...idempotency, repeated: 'serve' } })),
  'missing-scope-unauthorized': () => overrides({ missing_scope: { status: 401 } }),
  'unknown-field-renamed': () => overrides({ unknown_field: { code: 'unrecognized_keys' } }),
  'request-id-renamed': () =>
    chooses(({ errors }) => ({ errors: { ...errors, requestIdField: 'trace_id' } })),
  'rate-limit-renamed': () => overrides({ rate_limit: { code: 'slow_down' } }),
  'retry-after-lengthened': () => ({
    changeWorld: (world) => ({ ...world, limits: { ...world.limits, retryAfterSeconds: 2 } }),
  }),
  'context-size-changed': () => ({
    changeWorld: (world) => ({ ...world, models: world.models.map(doubled) }),
  }),
  'limit-header-added': () =>
    misspells(isCompletion, (answer) => ({
      ...answer,
      headers: [...answer.headers, 'x-ratelimit-remaining-requests', '99'],
    })),
  'deprecation-announced': () =>
    chooses(({ versioning }) => ({ versioning: { ...versioning, deprecation: '@1798761600' } })),
};
