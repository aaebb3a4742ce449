import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { SentChat } from '../../../mock-server/answers/question.ts';
import { type UnreadAnswer, UpstreamLost } from '../../../mock-server/answers/upstream.ts';
import { ServiceError } from '../../../mock-server/protocol/service-error.ts';
import type { Outcome, Transport } from '../../../suites/kit/model/exchange.ts';
import { addressOf, type Network } from '../../../suites/kit/model/network.ts';
import { findFinishReason } from '../../../suites/kit/reading/completions/find-finish-reason.ts';
import { findUsage } from '../../../suites/kit/reading/completions/find-usage.ts';
import { isJsonObject } from '../../../suites/kit/reading/json.ts';
import { findModelList } from '../../../suites/kit/reading/models/model-list.ts';
import { contextTokensOf } from '../../../suites/kit/reading/models/model-record.ts';
import { openTransport } from '../../../suites/kit/sending/transport.ts';
import { UsageError } from '../terminal/exit.ts';

/** The service that is recorded, by its base URL and a key of its own, and the way to it. */
export interface RecordedService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly transport: Transport;
}

/** The way to a service, as a run has it. */
export function transportTo(baseUrl: string, network: Network | undefined): Transport {
  return openTransport(addressOf(baseUrl), LONGEST_WAIT_MS, network);
}

/** What the service said, for which it was paid. */
export interface SaidAnswer {
  readonly text: string;
  readonly finish?: string;
  readonly usage?: { readonly input?: number; readonly output?: number };
}

/** A paid answer: what was read in it; absent: no text was found. */
export interface PaidAnswer extends UnreadAnswer {
  readonly said?: SaidAnswer;
  readonly idempotencyKey: string;
}

/** As the specification's tested client has it (LIM-5). No request is sent twice. */
const LONGEST_WAIT_MS = 120_000;

/** No transport takes more: all that was paid for is kept. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The models that the service lists. Throws a UsageError when it cannot be asked, or lists none. */
export async function listedModels(
  service: RecordedService,
): Promise<readonly { readonly id: string; readonly contextTokens?: number }[]> {
  const refuse = (problem: string): never => {
    throw new UsageError(`--record ${service.baseUrl}: ${problem}`);
  };
  const outcome = await send(service, 'GET', ENDPOINTS.models);
  if (outcome.kind !== 'answered') return refuse(outcome.reason);
  const { status, body } = outcome.answer;
  if (status !== 200) return refuse(`the list of models was refused with ${status}`);
  const list = findModelList(parsed(textOf(body)) ?? null);
  const models = list?.entries ?? [];
  if (models.length === 0) return refuse('it lists no models');
  return models.flatMap(({ id, record }) => {
    if (id === undefined) return [];
    const contextTokens = isJsonObject(record) ? contextTokensOf(record) : undefined;
    return contextTokens === undefined ? { id } : { id, contextTokens };
  });
}

/** Asks for one whole completion, once. Rejects as an Upstream does; `log` hears why. */
export async function askService(
  service: RecordedService,
  model: string,
  { messages, temperature, max_tokens: maxTokens }: SentChat,
  log: (line: string) => void,
): Promise<PaidAnswer> {
  const idempotencyKey = randomUUID();
  const lost = (status: 502 | 504, reason: string): never => {
    log(`record: ${reason}; look for Idempotency-Key ${idempotencyKey} in the workspace of the service`);
    throw new UpstreamLost(status, reason);
  };
  const body = JSON.stringify({ model, messages, temperature, max_tokens: maxTokens });
  const headers = { [HEADERS.contentType]: 'application/json', [HEADERS.idempotencyKey]: idempotencyKey };
  const outcome = await send(service, 'POST', ENDPOINTS.chat, { headers, body });
  const paid = outcome.kind === 'not-sent' ? undefined : paidAnswer(outcome);
  if (paid !== undefined) return { ...paid, idempotencyKey };
  if (outcome.kind === 'answered')
    return refused(outcome.answer.status, { log, lost, body: parsed(textOf(outcome.answer.body)) });
  if (outcome.kind === 'uncertain')
    return lost(outcome.reason.startsWith('no complete answer') ? 504 : 502, outcome.reason);
  log(`record: ${outcome.reason}`);
  throw new UpstreamLost(502, outcome.reason);
}

/** UTF-8; what is none becomes no JSON, or a replacement character. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

/** Of an answer with 200; of one that broke off, only where its JSON had come whole, whatever length it named. */
function paidAnswer({
  kind,
  answer,
}: Exclude<Outcome, { kind: 'not-sent' }>): Omit<PaidAnswer, 'idempotencyKey'> | undefined {
  if (answer?.status !== 200) return undefined;
  const body = textOf(answer.body);
  const value = parsed(body);
  if (kind === 'uncertain' && !isJsonObject(value)) return undefined;
  const said = isJsonObject(value) ? readAnswer(value) : undefined;
  const contentType = answer.headers[HEADERS.contentType] ?? 'application/json';
  return { contentType, body, ...(said !== undefined && { said }) };
}

interface Refusal {
  readonly log: (line: string) => void;
  readonly lost: (status: 502 | 504, reason: string) => never;
  readonly body: JsonValue | undefined;
}

function refused(status: number, { log, lost, body }: Refusal): never {
  if (!isJsonObject(body)) return lost(502, `the service answered ${status} without a JSON object`);
  log(`record: the service refused a chat with ${status}; nothing was recorded`);
  throw refusal(status);
}

function readAnswer(body: Body): SaidAnswer | undefined {
  const [choice] = Array.isArray(body['choices']) ? body['choices'] : [];
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  const text = isJsonObject(message) ? message['content'] : undefined;
  if (typeof text !== 'string') return undefined;
  // An empty one is no finish reason, and is passed on all the same.
  const finish = isJsonObject(choice) && choice['finish_reason'] === '' ? { finish: '' } : finishOf(body);
  return { text, ...finish, ...usageOf(body) };
}

type Body = Parameters<typeof findUsage>[0];

function finishOf(body: Body): Pick<SaidAnswer, 'finish'> {
  const reading = findFinishReason(body, 0, {});
  return typeof reading === 'string' || typeof reading.value !== 'string' ? {} : { finish: reading.value };
}

function usageOf(body: Body): Pick<SaidAnswer, 'usage'> {
  const usage = findUsage(body, {}, 'response.usage');
  if (typeof usage === 'string') return {};
  const { input, output } = usage;
  if (input === undefined && output === undefined) return {};
  return { usage: { ...(input && { input: input.value }), ...(output && { output: output.value }) } };
}

/** The mock's own error for what the service refused. */
function refusal(status: number): ServiceError {
  const detail = `The recorded service refused it with ${status}`;
  if (status === 429) return new ServiceError('rate_limit', { detail });
  if (status === 402) return new ServiceError('insufficient_credits', { detail });
  if (status >= 500) return new ServiceError('service_unavailable', { detail });
  return new ServiceError('unanswered', { detail });
}

/** Follows no redirect: a key is not sent anywhere else. */
function send(
  { baseUrl, apiKey, transport }: RecordedService,
  method: string,
  path: string,
  { headers, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Outcome> {
  const request = {
    method,
    path: `${addressOf(baseUrl).path}${path}`,
    headers: { ...headers, [HEADERS.authorization]: `Bearer ${apiKey}` },
    body: body === undefined ? undefined : Buffer.from(body),
  };
  return transport.exchange(request, { keepBytes: MOST_BYTES });
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
