import { randomUUID } from 'node:crypto';
import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { ENDPOINTS, HEADERS } from '../../../fixtures/chats/wire.ts';
import type { SentChat } from '../../../mock-server/answers/question.ts';
import { UpstreamLost } from '../../../mock-server/answers/upstream.ts';
import { ServiceError } from '../../../mock-server/protocol/service-error.ts';
import { findFinishReason } from '../../../suites/kit/reading/completions/find-finish-reason.ts';
import { findUsage } from '../../../suites/kit/reading/completions/find-usage.ts';
import { isJsonObject } from '../../../suites/kit/reading/json.ts';
import { findModelList } from '../../../suites/kit/reading/models/model-list.ts';
import { contextTokensOf } from '../../../suites/kit/reading/models/model-record.ts';
import { UsageError } from '../terminal/exit.ts';

/** The service that is recorded, by its base URL and a key of its own. */
export interface RecordedService {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** What the service said. */
export interface SaidAnswer {
  readonly text: string;
  readonly finish?: string;
  readonly usage?: { readonly input?: number; readonly output?: number };
}

/** As the specification's tested client has it (LIM-5). No request is sent twice. */
const LONGEST_WAIT_MS = 120_000;

/** The models that the service lists. Throws a UsageError when it cannot be asked, or lists none. */
export async function listedModels(
  service: RecordedService,
): Promise<readonly { readonly id: string; readonly contextTokens?: number }[]> {
  const response = await send(service, 'GET', ENDPOINTS.models).catch((error: unknown) => {
    throw new UsageError(`--record ${service.baseUrl}: ${reasonOf(error)}`);
  });
  if (!response.ok)
    throw new UsageError(
      `--record ${service.baseUrl}: the list of models was refused with ${response.status}`,
    );
  const list = findModelList(parsed(await response.text()) ?? null);
  const models = list?.entries ?? [];
  if (models.length === 0) throw new UsageError(`--record ${service.baseUrl}: it lists no models`);
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
): Promise<SaidAnswer> {
  const idempotencyKey = randomUUID();
  const lost = (status: 502 | 504, reason: string): never => {
    log(`record: ${reason}; look for Idempotency-Key ${idempotencyKey} in the workspace of the service`);
    throw new UpstreamLost(status, reason);
  };
  const body = JSON.stringify({ model, messages, temperature, max_tokens: maxTokens });
  const headers = { [HEADERS.contentType]: 'application/json', [HEADERS.idempotencyKey]: idempotencyKey };
  try {
    const response = await send(service, 'POST', ENDPOINTS.chat, { headers, body });
    const text = await response.text();
    return readAnswer(response.status, parsed(text), { log, lost });
  } catch (error) {
    if (error instanceof ServiceError || error instanceof UpstreamLost) throw error;
    return lost(isTimeout(error) ? 504 : 502, reasonOf(error));
  }
}

interface Outcomes {
  readonly log: (line: string) => void;
  readonly lost: (status: 502 | 504, reason: string) => never;
}

function readAnswer(status: number, body: JsonValue | undefined, { log, lost }: Outcomes): SaidAnswer {
  if (!isJsonObject(body)) return lost(502, `the service answered ${status} without a JSON object`);
  if (status !== 200) {
    log(`record: the service refused a chat with ${status}; nothing was recorded`);
    throw refusal(status);
  }
  const [choice] = Array.isArray(body['choices']) ? body['choices'] : [];
  const message = isJsonObject(choice) ? choice['message'] : undefined;
  const text = isJsonObject(message) ? message['content'] : undefined;
  if (typeof text !== 'string') return lost(502, 'the service answered 200 without a text');
  return { text, ...finishOf(body), ...usageOf(body) };
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

function send(
  { baseUrl, apiKey }: RecordedService,
  method: string,
  path: string,
  { headers, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  return fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
    method,
    headers: { ...headers, [HEADERS.authorization]: `Bearer ${apiKey}` },
    ...(body !== undefined && { body }),
    // A key is not sent anywhere else.
    redirect: 'error',
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  });
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function reasonOf(error: unknown): string {
  if (isTimeout(error)) return `no answer within ${LONGEST_WAIT_MS / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  return `no answer (${String(Object(cause).code ?? 'the connection failed')})`;
}
