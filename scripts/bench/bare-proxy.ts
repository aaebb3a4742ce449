import { createServer } from 'node:http';
import { Pool } from 'undici';

/**
 * The control of the proxy: passes requests and answers on, and keeps nothing. Argument: the base URL of the target.
 * Prints `{ "url" }` when it listens.
 */
const target = new URL(process.argv[2] ?? '');
const pool = new Pool(target.origin, { connections: 256, pipelining: 1 });

const server = createServer((request, response) => {
  const { method = '', url: path = '', headers } = request;
  const { host: _, connection: __, 'transfer-encoding': ___, ...passed } = headers;
  const body = method === 'GET' ? null : request;
  pool
    .stream({ method, path, headers: passed, body }, ({ statusCode, headers: answered }) => {
      delete answered['connection'];
      delete answered['keep-alive'];
      return response.writeHead(statusCode, answered);
    })
    .catch(() => response.destroy());
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}${target.pathname}` })}\n`);
});
process.on('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  void pool.destroy();
});
