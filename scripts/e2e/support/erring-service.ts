import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

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

const MODELS = { data: [{ id: 'any-1', context_length: 4096 }] };
const MESSAGE = { role: 'assistant', content: 'Hello. \u{1f600}' };
const SERVED = {
  choices: [{ index: 0, message: MESSAGE, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
};

/** `answer` returns true for a request that it has answered. */
export async function startErringService(
  answer: (arrival: ServedRequest, response: ServerResponse, nth: number) => boolean = () => false,
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
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the service listens at no port');
  return { baseUrl: `http://127.0.0.1:${address.port}/v1`, arrivals };
}
