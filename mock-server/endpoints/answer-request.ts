import { jsonAnswer, toUtf8 } from '../protocol/answer.ts';
import { authenticate } from './authenticate.ts';
import type { Caller } from '../world/caller.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RequestFaults } from '../exchange/request-faults.ts';
import { runPhase } from '../exchange/run-phase.ts';
import { faultOfHeader } from '../faults/requested-fault.ts';
import { listModels, visionCapabilities } from './model-lists.ts';
import type { Endpoint, ReceivedRequest } from '../protocol/request.ts';
import type { Service } from '../sandboxes/service.ts';
import { transact } from '../chat/transaction.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { ServiceError } from '../protocol/service-error.ts';

/** Path and method first, then the key, then what the endpoint does. Throws or refuses with a ServiceError. */
export function answerRequest(service: Service, exchange: Exchange): void {
  const { request } = exchange;
  const endpoint = route(request.method, request.url);
  if (exchange.faults !== null) watch(exchange.faults, endpoint, service, request);
  runPhase(service, 'before-authentication', { exchange, endpoint }, serve);
}

/** What is known from the head of a request on. */
function watch(
  faults: RequestFaults,
  endpoint: Endpoint,
  { world }: Service,
  { fault }: ReceivedRequest,
): void {
  faults.routed(endpoint);
  if (fault !== undefined && world.choices.faults.header === 'allow')
    faults.request(faultOfHeader(fault, endpoint));
}

interface Routed {
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
}

function serve(service: Service, { exchange, endpoint }: Routed): void {
  const caller = authenticate(service.callers, exchange.request.authorization);
  exchange.faults?.authenticated(caller);
  if (endpoint === 'chat') transact(service, caller, exchange);
  else runPhase(service, 'after-validation', { exchange, caller, endpoint }, read);
}

interface Reading {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly endpoint: 'models' | 'vision';
}

function read(service: Service, { exchange, caller, endpoint }: Reading): void {
  const { choices } = service.world;
  const { requestId } = exchange.identity;
  switch (endpoint) {
    case 'models':
      return exchange.reply(jsonAnswer(requestId, toUtf8(listModels(caller, choices.models))));
    case 'vision':
      return exchange.reply(jsonAnswer(requestId, toUtf8(visionCapabilities(caller, choices.vision))));
  }
}

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
