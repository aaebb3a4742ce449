import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import type { Chosen } from '../answers/answer-rule.ts';
import { type Question, readingQuestion } from '../answers/question.ts';
import { transact, type TransactionService } from '../chat/transaction.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { runPhase } from '../exchange/run-phase.ts';
import { jsonAnswer, toUtf8 } from '../protocol/answer.ts';
import type { Endpoint } from '../protocol/request.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Caller } from '../world/caller.ts';
import { authenticate } from './authenticate.ts';
import { listModels, visionCapabilities } from './model-lists.ts';

export interface EndpointService extends TransactionService {
  readonly callers: readonly Caller[];
}

/** Path and method first, then the key, then the endpoint itself. Throws or refuses with a ServiceError. */
export function answerRequest(service: EndpointService, exchange: Exchange): void {
  const { request, faults } = exchange;
  const endpoint = route(request.method, request.url);
  faults?.routed(endpoint);
  if (request.fault !== undefined && service.world.choices.faults.header === 'allow')
    faults?.requestByHeader(request.fault, endpoint);
  runPhase(service, 'before-authentication', { exchange, endpoint }, serve);
}

interface RoutedRequest {
  readonly exchange: Exchange;
  readonly endpoint: Endpoint;
}

function serve(service: EndpointService, { exchange, endpoint }: RoutedRequest): void {
  const caller = authenticate(service.callers, exchange.request.authorization);
  exchange.faults?.authenticated(caller.name);
  if (endpoint === 'chat') transact(service, caller, exchange);
  else runPhase(service, 'after-validation', { exchange, caller, endpoint }, answerFromWorld);
}

interface ReadingRequest {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly endpoint: 'models' | 'vision';
}

function answerFromWorld(service: EndpointService, { exchange, caller, endpoint }: ReadingRequest): void {
  const { choices } = service.world;
  const body =
    endpoint === 'models' ? listModels(caller, choices.models) : visionCapabilities(caller, choices.vision);
  const answer = jsonAnswer(exchange.identity.requestId, toUtf8(body));
  const chosen = service.answers.isSilent
    ? undefined
    : chooseReading(service, exchange, readingQuestion(endpoint, caller.name));
  if (chosen === undefined) return exchange.reply(answer);
  const { text = answer.body, headers, latency = 0 } = chosen;
  service.delays.after(latency, () => exchange.reply({ ...answer, body: text, headers }));
}

/** What a rule says of a request without a body. */
function chooseReading(
  { answers }: EndpointService,
  { faults }: Exchange,
  question: Question,
): Chosen | undefined {
  const { chosen, rule, take } = answers.offer(question);
  take();
  if (rule !== undefined) faults?.answered(rule);
  return chosen;
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
 * The endpoint at a path, whatever its query (VER-1). A trailing slash or another spelling makes another path. Throws
 * `not_found`, or `method_not_allowed` with the allowed method.
 */
export function route(method: string, url: string): Endpoint {
  const found = ROUTES.get(url) ?? ROUTES.get(url.split('?', 1)[0] ?? url);
  if (found === undefined) throw new ServiceError('not_found');
  if (found.method !== method)
    throw new ServiceError('method_not_allowed', { headers: ['allow', found.method] });
  return found.endpoint;
}
