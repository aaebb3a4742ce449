import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { request as undiciRequest } from 'undici';

/** Sends an HTTP request and resolves with status and body. Rejects when no whole response comes. */
export type SendRequest = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly body: string }>;

export const byFetch: SendRequest = async ({ method, url, headers, body, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  return { status: response.status, body: await response.text() };
};

export const byUndici: SendRequest = async ({ method, url, headers, body, timeoutMs }) => {
  const response = await undiciRequest(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  });
  return { status: response.statusCode, body: await response.body.text() };
};

/** By node:http, on connections that are kept alive until `close`. */
export function byNodeHttp(): { readonly send: SendRequest; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const send: SendRequest = ({ method, url, headers, body, timeoutMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    const request = httpRequest(url, { method, headers: { ...headers }, agent });
    request.setTimeout(timeoutMs, () => request.destroy(new Error('timeout')));
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    request.end(body);
    return promise;
  };
  return { send, close: () => agent.destroy() };
}

/** By a socket for each request. */
export const bySocket: SendRequest = ({ method, url, headers, body = '', timeoutMs }) => {
  const { hostname, port, pathname, host } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const socket = connect(Number(port), hostname);
  const all = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout')));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', reject);
  socket.on('close', () => {
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
    const received = text.slice(end + 4);
    if (end === -1 || Buffer.byteLength(received) < length) reject(new Error('cut'));
    else resolve({ status: Number(text.slice(9, 12)), body: received });
  });
  return promise;
};
