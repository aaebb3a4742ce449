import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { onTestFinished } from 'vitest';
import type { Mock, MockOptions } from '../../../mock-server/start-mock.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { listening } from '../../../suites/engine/test-support/service.ts';

/** A request as a layer over the mock sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly contentType: string | undefined;
  readonly body: string;
  /** How many came before it. */
  readonly before: number;
}

export interface LayerReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a layer does with a request: passes it on, answers it, cuts the connection, or replaces its body. */
export type Meddling = undefined | LayerReply | 'cut' | { readonly instead: string };

/** A mock behind a layer that changes requests or answers them. */
export interface Layer {
  readonly mock: Mock;
  readonly baseUrl: string;
  /** Requests that arrived. */
  readonly arrived: () => number;
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** Until the test ends. */
export async function startLayer(
  meddle: (seen: Seen) => Meddling,
  options: MockOptions = {},
): Promise<Layer> {
  const mock = await openMock(options);
  const pool = new Pool(new URL(mock.url).origin, { connections: 64 });
  let arrived = 0;
  const server = createServer((request, response) => {
    const before = arrived;
    arrived += 1;
    void answer(request, response, { before, meddle, pool }).catch(() => request.socket.destroy());
  });
  onTestFinished(() => pool.destroy());
  return { mock, baseUrl: `${await listening(server)}/v1`, arrived: () => arrived };
}

/** How a layer meddles with one request. */
interface Meddler {
  readonly before: number;
  readonly meddle: (seen: Seen) => Meddling;
  readonly pool: Pool;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { before, meddle, pool }: Meddler,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const { method = '', url: path = '', headers } = request;
  const contentType = headers['content-type'];
  const meddling = meddle({ method, path, headers, contentType, body: bytes.toString(), before });
  if (meddling === 'cut') return void request.socket.destroy();
  if (meddling !== undefined && 'status' in meddling) {
    const own = { 'content-type': 'application/json', ...meddling.headers };
    return void response.writeHead(meddling.status, own).end(meddling.body ?? '{}');
  }
  const body = meddling === undefined ? bytes : Buffer.from(meddling.instead);
  const passed = await pool.request({
    method: method === 'GET' ? 'GET' : 'POST',
    path,
    headers: passedOn(headers),
    body: body.length === 0 ? null : body,
  });
  response.writeHead(passed.statusCode, passedOn(passed.headers));
  response.end(await passed.body.text());
}

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
