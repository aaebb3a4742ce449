import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { request as undiciRequest } from 'undici';
import type { Transport } from './proof-client.ts';

/** node:http, on connections that are kept. */
export function byNodeHttp(): { readonly send: Transport; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const send: Transport = ({ method, url, headers, body, timeoutMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    const sent = httpRequest(url, { method, headers: { ...headers }, agent });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.end(body);
    return promise;
  };
  return { send, close: () => agent.destroy() };
}

export const byUndici: Transport = async ({ method, url, headers, body, timeoutMs }) => {
  const { statusCode, body: answer } = await undiciRequest(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  });
  return { status: statusCode, body: await answer.text() };
};

/** A socket of its own for each request, and bytes written by hand. */
export const bySocket: Transport = ({ method, url, headers, body = '', timeoutMs }) => {
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
    const answer = text.slice(end + 4);
    if (end === -1 || Buffer.byteLength(answer) < length) reject(new Error('cut'));
    else resolve({ status: Number(text.slice(9, 12)), body: answer });
  });
  return promise;
};
