import { jsonAnswer } from './answer.ts';
import { authenticate } from '../endpoints/authenticate.ts';
import type { Caller } from '../world/caller.ts';
import type { Exchange } from './exchange.ts';
import type { Passage } from '../faults/passage.ts';
import { passPhase } from '../faults/pass-phase.ts';
import { faultOfHeader } from '../faults/requested-fault.ts';
import { listModels } from '../endpoints/list-models.ts';
import type { Received } from './received.ts';
import { type Endpoint, route } from '../endpoints/route.ts';
import type { Service } from '../service.ts';
import { transact } from '../chat/transaction.ts';
import { toUtf8 } from './utf8.ts';
import { visionCapabilities } from '../endpoints/vision-capabilities.ts';

/** Path and method first, then the key, then what the endpoint does. Throws or refuses with a ServiceError. */
export function answerRequest(service: Service, exchange: Exchange): void {
  const { request } = exchange;
  const endpoint = route(request.method, request.url);
  if (exchange.passage !== null) watch(exchange.passage, endpoint, service, request);
  passPhase(service, 'before-authentication', { exchange, endpoint }, serve);
}

/** What is known from the head of a request on. */
function watch(passage: Passage, endpoint: Endpoint, { world }: Service, { fault }: Received): void {
  passage.routed(endpoint);
  if (fault !== undefined && world.choices.faults.header === 'allow')
    passage.asksFor(faultOfHeader(fault, endpoint));
}

interface Routed {
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
}

function serve(service: Service, { exchange, endpoint }: Routed): void {
  const caller = authenticate(service.callers, exchange.request.authorization);
  exchange.passage?.authenticated(caller);
  if (endpoint === 'chat') transact(service, caller, exchange);
  else passPhase(service, 'after-validation', { exchange, caller, endpoint }, read);
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
