import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Mock } from '../../start-mock.ts';

export interface Told {
  readonly status: number;
  readonly body: string;
}

/** Sends a request on a connection of its own, and trusts the authority of the mock. Rejects with Node's error. */
export function ask(
  mock: Mock,
  path: string,
  options: Omit<RequestOptions, 'headers'> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  } = {},
): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const { body, ...others } = options;
  const headers = { authorization: `Bearer ${mock.keys['primary']}`, ...options.headers };
  const sent = request(`${mock.origin}${path}`, { agent: false, ca: mock.ca, ...others, headers });
  sent.on('error', reject).on('response', (answer) => {
    text(answer).then((whole) => resolve({ status: answer.statusCode ?? 0, body: whole }), reject);
  });
  sent.end(body);
  return promise;
}
