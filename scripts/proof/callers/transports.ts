import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { type AxiosInstance, create, isAxiosError } from 'axios';
import axiosRetry from 'axios-retry';
import got, { type RetryOptions as GotRetry } from 'got';
import ky, { isHTTPError, type RetryOptions as KyRetry } from 'ky';
import {
  request as undiciRequest,
  Agent,
  type Dispatcher,
  fetch as undiciFetch,
  interceptors,
  RetryAgent,
} from 'undici';

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
  const agent = new HttpAgent({ keepAlive: true });
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

/** By got; it retries no POST unless it is told to. */
export function byGot(retry: Partial<GotRetry> = { limit: 0 }): SendRequest {
  return async ({ method, url, headers, body, timeoutMs }) => {
    const { statusCode, body: text } = await got(url, {
      method: method === 'GET' ? 'GET' : 'POST',
      headers: { ...headers },
      timeout: { request: timeoutMs },
      throwHttpErrors: false,
      retry,
      ...(body !== undefined && { body }),
    });
    return { status: statusCode, body: text };
  };
}

/** By ky; it retries no POST unless it is told to, and nothing if it must not throw. */
export function byKy(retry: KyRetry = { limit: 0 }): SendRequest {
  return async ({ method, url, headers, body, timeoutMs }) => {
    const options = { method, headers: { ...headers }, timeout: timeoutMs, retry };
    const answer = await ky(url, { ...options, ...(body !== undefined && { body }) }).catch(
      (error: unknown) => {
        if (isHTTPError<string>(error))
          return { status: error.response.status, text: () => String(error.data) };
        throw error;
      },
    );
    return { status: answer.status, body: await answer.text() };
  };
}

/** By axios; with `attempts`, axios-retry sends every request that failed so many times again. */
export function byAxios(attempts = 0): SendRequest {
  const client: AxiosInstance = create({ responseType: 'text', transformResponse: String });
  if (attempts > 0)
    axiosRetry(client, { retries: attempts, retryCondition: () => true, retryDelay: () => 300 });
  return async ({ method, url, headers, body, timeoutMs }) => {
    const answer = await client
      .request<string>({ method, url, headers: { ...headers }, timeout: timeoutMs, data: body })
      .catch((error: unknown) => {
        if (isAxiosError<string>(error) && error.response !== undefined) return error.response;
        throw error;
      });
    return { status: answer.status, body: answer.data };
  };
}

/** By undici over any dispatcher. */
function dispatched(dispatcher: () => Dispatcher): SendRequest {
  return async ({ method, url, headers, body, timeoutMs }) => {
    const answer = await undiciRequest(url, {
      dispatcher: dispatcher(),
      method: method === 'GET' ? 'GET' : 'POST',
      headers: { ...headers },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
}

const RETRY_POST = { methods: ['GET', 'POST'] as ('GET' | 'POST')[], maxRetries: 2, minTimeout: 300 };

/** By undici's RetryAgent, told to retry POST. */
export const byRetryAgent: SendRequest = dispatched(() => new RetryAgent(new Agent(), RETRY_POST));

/** By undici's retry interceptor under fetch: what is sent again has a body that was used up. */
export const byRetryInterceptor: SendRequest = async ({ method, url, headers, body, timeoutMs }) => {
  const dispatcher = new Agent().compose(interceptors.retry(RETRY_POST));
  const init = { method, headers: { ...headers }, dispatcher, signal: AbortSignal.timeout(timeoutMs) };
  const response = await undiciFetch(url, body === undefined ? init : { ...init, body });
  return { status: response.status, body: await response.text() };
};

/** The retries that users of got and ky turn on for completions. */
export const GOT_RETRIES_POST: Partial<GotRetry> = { limit: 2, methods: ['GET', 'POST'] };
export const KY_RETRIES_POST: KyRetry = { limit: 2, methods: ['get', 'post'] };
