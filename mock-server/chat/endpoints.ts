import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import type { Endpoint } from '../protocol/answer.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { type Caller, availableModels } from '../world/caller.ts';
import type { Model, Choices } from '../world/world-schema.ts';

const ROUTES: ReadonlyMap<string, readonly [method: string, endpoint: Endpoint]> = new Map([
  [`/v1${ENDPOINTS.models}`, ['GET', 'models']],
  [`/v1${ENDPOINTS.chat}`, ['POST', 'chat']],
  [`/v1${ENDPOINTS.vision}`, ['GET', 'vision']],
]);

const UNSERVED = { detail: 'The control API is served only with --control' };

/**
 * The endpoint at a path, whatever its query (VER-1). A trailing slash or another spelling makes another path. Throws
 * `not_found`, or `method_not_allowed` with the allowed method.
 */
export function route(method: string, url: string): Endpoint {
  const found = ROUTES.get(url) ?? ROUTES.get(url.split('?', 1)[0] ?? url);
  if (found === undefined) throw new ServiceError('not_found', url.startsWith('/control/') ? UNSERVED : {});
  const [allowed, endpoint] = found;
  if (allowed !== method) throw new ServiceError('method_not_allowed', { headers: ['allow', allowed] });
  return endpoint;
}

const SCOPE = 'inference';
const CHALLENGE = 'www-authenticate';
/** RFC 6750: the scheme in any case, then one token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The caller of an Authorization header (AUTH-1, AUTH-2). Throws `missing_key`, `invalid_key` or `missing_scope`. */
export function authenticate(callers: readonly Caller[], authorization: string | undefined): Caller {
  const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (key === undefined) throw new ServiceError('missing_key', { headers: [CHALLENGE, 'Bearer'] });
  const caller = callers.find((each) => each.key === key) ?? callers.find(({ isAnyone }) => isAnyone);
  if (caller === undefined) throw challenge('invalid_key', 'error="invalid_token"');
  if (!caller.scopes.has(SCOPE))
    throw challenge('missing_scope', `error="insufficient_scope", scope="${SCOPE}"`);
  return caller;
}

function challenge(kind: 'invalid_key' | 'missing_scope', parameters: string): ServiceError {
  return new ServiceError(kind, { headers: [CHALLENGE, `Bearer ${parameters}`] });
}

/** 2025-01-01: all models of a world have the same age. */
const CREATED = 1_735_689_600;

/** The models that a key can use now (SVC-2, MOD-1, MOD-2), in the world's shape (MOD-3). */
export function listModels(caller: Caller, { shape, idField }: Choices['models']): object {
  const records = availableModels(caller).map((model) => record(model, idField));
  if (shape === 'list') return records;
  return shape === 'data' ? { object: 'list', data: records } : { models: records };
}

/** Includes what a caller needs to choose: the context in tokens, and the price in credits per token. */
function record({ id, contextTokens, price }: Model, idField: string): object {
  return {
    [idField]: id,
    object: 'model',
    created: CREATED,
    owned_by: 'mock',
    context_length: contextTokens,
    pricing: { input: price.input, output: price.output },
  };
}

/** Which of the key's models accept image parts (SVC-3, VIS-1), in the world's shape (VIS-3). */
export function visionCapabilities(caller: Caller, { shape }: Choices['vision']): object {
  const models = availableModels(caller).map(({ id, vision }) => ({ id, vision: vision === true }));
  if (shape === 'map') return { models: Object.fromEntries(models.map((m) => [m.id, m.vision])) };
  if (shape === 'flag') return { vision: models.some(({ vision }) => vision) };
  return { object: 'list', data: models };
}
