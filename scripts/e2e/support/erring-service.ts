import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../../suites/engine/test-support/service.ts';

/** A request as it arrived. */
export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A service that accepts every chat, unless `answer` does otherwise: it violates many clauses. */
export interface ErringService {
  readonly baseUrl: string;
  readonly arrivals: readonly ServedRequest[];
}

/** Refuses every key. */
export function refuseKey(_: unknown, response: ServerResponse): void {
  const error = { code: 'invalid_key', message: 'No such key.', request_id: 'r-1' };
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

const MODELS = { data: [{ id: 'any-1', context_length: 4096 }] };
const MESSAGE = { role: 'assistant', content: 'Hello. \u{1f600}' };
const SERVED = {
  choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
};

/** `answer` returns true for a request that it has answered; `ends`: when the service does, if not with its test. */
export async function startErringService(
  answer: (arrival: ServedRequest, response: ServerResponse, nth: number) => boolean = () => false,
  ends?: Parameters<typeof listening>[1],
): Promise<ErringService> {
  const arrivals: ServedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const arrival = { method, path, headers, body: Buffer.concat(chunks) };
      arrivals.push(arrival);
      if (answer(arrival, response, arrivals.length)) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(path.endsWith('/models') ? MODELS : SERVED));
    });
  });
  return { baseUrl: `${await listening(server, ends)}/v1`, arrivals };
}
