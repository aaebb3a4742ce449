import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type Choices, CONVENTION, type Page, Refusal } from './convention.ts';
import { type Call, deliver, refusalReply } from './reply.ts';
import { KEYS, Service } from './service.ts';

/** Serves on a free port of the loopback address, each request once its whole body has arrived. */
export async function serveOnLoopback(
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown,
) {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A client that gives up resets the connection.
    response.on('error', () => {});
    await answer(request, response, await buffer(request));
  };
  // A request that was cut off gets no response.
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on a port has such an address
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, close };
}

/** Starts the second service. `departures`: where it does not follow the common convention. */
export async function startSecondService(seed: number, departures: Partial<Choices> = {}) {
  const choices = { ...CONVENTION, ...departures };
  const service = new Service(choices, seed);
  let count = 0;
  const { origin, close } = await serveOnLoopback(async (request, response, body) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname.startsWith('/control/')) {
      const done = service.workspace.control(request.method ?? '', url, body);
      const said = done ?? { error: { message: 'that cannot be done' } };
      response.writeHead(done === undefined ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(said));
      return;
    }
    const call = { requestId: choices.requestId(++count), request, response, url, body };
    deliver(call, await replyTo(call, service, choices), choices);
  });
  return { baseUrl: `${origin}/v1`, controlUrl: `${origin}/control`, keys: KEYS, close };
}

async function replyTo(call: Call, service: Service, choices: Choices): Promise<Page> {
  try {
    return await service.answer(call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (choices.refusalLatencyMs > 0) await wait(choices.refusalLatencyMs);
    return refusalReply(error, call, choices);
  }
}
