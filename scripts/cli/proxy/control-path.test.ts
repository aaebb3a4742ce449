import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CONTROL_PATH, controlAt } from './control-path.ts';

interface Asked {
  readonly from: string;
  readonly host?: string;
  readonly authorization?: string;
}

/** The status of a request for the verdicts. */
async function statusOf(
  { from, host = 'localhost', authorization = '' }: Asked,
  token?: string,
): Promise<number> {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: from });
  const request = new IncomingMessage(socket);
  const rawHeaders = ['Host', host, 'Authorization', authorization];
  Object.assign(request, { method: 'GET', url: CONTROL_PATH, rawHeaders });
  const response = new ServerResponse(request);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  response.end = () => {
    resolve();
    return response;
  };
  expect(controlAt(async () => '{}', token)(request, response)).toBe(true);
  await ended;
  return response.statusCode;
}

test.each([
  ['this machine', { from: '127.0.0.1' }, 200],
  ['this machine, by IPv6', { from: '::1', host: '[::1]:8090' }, 200],
  ['this machine, by IPv4 in IPv6', { from: '::ffff:127.0.0.1', host: '127.0.0.1:8090' }, 200],
  ['another machine', { from: '192.0.2.7' }, 403],
  ['another machine that claims to be this one', { from: '192.0.2.7', host: '127.0.0.1' }, 403],
  ['a page whose name leads to this machine', { from: '127.0.0.1', host: 'evil.example' }, 403],
] as const)('answers %s, without a token, as it must', async (_, asked, status) => {
  expect(await statusOf(asked)).toBe(status);
});

test('answers whoever has the token, wherever they are, and nobody else', async () => {
  const [from, token] = ['192.0.2.7', 'the-token'];
  expect(await statusOf({ from, authorization: 'Bearer the-token' }, token)).toBe(200);
  expect(await statusOf({ from, authorization: 'Bearer another-token' }, token)).toBe(403);
  expect(await statusOf({ from: '127.0.0.1' }, token)).toBe(403);
});
