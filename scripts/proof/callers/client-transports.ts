import { type AxiosInstance, create, isAxiosError } from 'axios';
import axiosRetry from 'axios-retry';
import got, { type RetryOptions as GotRetry } from 'got';
import ky, { isHTTPError, type RetryOptions as KyRetry } from 'ky';
import { Agent, type Dispatcher, fetch as undiciFetch, interceptors, request, RetryAgent } from 'undici';
import type { SendRequest } from './transports.ts';

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
    const answer = await request(url, {
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
