import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ProofWorld, RunningService } from '../model/proof-world.ts';
import { ADVERSARIES } from './adversaries.ts';
import type { Answering } from './adversary.ts';

const KEYS = { primary: 'key-of-nobody-1', second: 'key-of-nobody-2', unscoped: 'key-of-nobody-3' };

async function start(answers: Answering): Promise<RunningService> {
  const server = createServer((request, response) => {
    let body = '';
    // A client that gives up resets the connection.
    request.on('error', () => {});
    response.on('error', () => {});
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => answers(request, response, body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: KEYS,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const ADVERSARY_WORLDS: readonly ProofWorld[] = Object.entries(ADVERSARIES).map(
  ([name, { ends, keeps, answers }]) => ({
    name,
    kind: 'adversary',
    ends,
    keeps,
    start: () => start(answers),
  }),
);
