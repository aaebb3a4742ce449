import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A service that counts its requests. */
export interface CountingServer {
  readonly origin: string;
  /** Requests so far. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

/** Refuses every key. */
export function refuseKey(response: ServerResponse): void {
  const error = { code: 'invalid_key', message: 'No such key.', request_id: 'r-1' };
  response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

/** Listens on a free loopback port, and answers with the function of the test. */
export async function startCountingServer(
  answer: (response: ServerResponse) => void,
): Promise<CountingServer> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens at no port');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { origin: `http://127.0.0.1:${address.port}`, count: () => requests, close };
}
