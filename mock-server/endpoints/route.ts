import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { ServiceError } from './service-error.ts';

export type Endpoint = keyof typeof ENDPOINTS;

interface Route {
  readonly endpoint: Endpoint;
  readonly method: string;
}

const PREFIX = '/v1';

const ROUTES: ReadonlyMap<string, Route> = new Map([
  [`${PREFIX}${ENDPOINTS.models}`, { endpoint: 'models', method: 'GET' }],
  [`${PREFIX}${ENDPOINTS.chat}`, { endpoint: 'chat', method: 'POST' }],
  [`${PREFIX}${ENDPOINTS.vision}`, { endpoint: 'vision', method: 'GET' }],
]);

/**
 * The endpoint at a path, whatever its query (VER-1). A trailing slash or another spelling is another path.
 * Throws `not_found` or `method_not_allowed`, whose Allow names the one method.
 */
export function route(method: string, url: string): Endpoint {
  const found = ROUTES.get(url) ?? ROUTES.get(url.split('?', 1)[0] ?? url);
  if (found === undefined) throw new ServiceError('not_found');
  if (found.method !== method)
    throw new ServiceError('method_not_allowed', { headers: ['allow', found.method] });
  return found.endpoint;
}
