import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { complete, get, openMock } from '../test-support/open-mock.ts';
import { dial, head, isWhole, POST, post, split, talk } from '../test-support/wire.ts';
import { completeWorld } from '../world/check-world.ts';
import type { Limits } from '../world/world-schema.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}';
const CLOSE = 'Connection: close';
const GET = 'GET /v1/models';

const openWith = (limits: Partial<Limits>): Promise<Mock> =>
  openMock({ world: completeWorld({ limits: { drainMs: 500, ...limits } }) });

/** The status and the code of a refusal, and its request ID. */
function errorIn(answer: string): { refused: string; requestId: string } {
  const { head: headers, body } = split(answer);
  const { error }: { error: { code: string; request_id: string } } = JSON.parse(body);
  expect(headers).toContain(`x-request-id: ${error.request_id}`);
  expect(headers).toContain(`content-length: ${body.length}`);
  return { refused: `${headers.split(' ')[1]} ${error.code}`, requestId: error.request_id };
}

test('writes headers once, the length of the body among them', async () => {
  const mock = await openMock();
  const answer = await talk(mock, post(mock, CHAT, CLOSE));
  const { head: headers } = split(answer);
  expect(headers.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase())).toEqual([
    'http/1.1 200 ok',
    'date',
    'x-request-id',
    'content-type',
    'content-length',
    'connection',
    '',
    '',
  ]);
  expect(headers).toContain('date: Thu, 01 Jan 2026 00:00:00 GMT');
  expect(isWhole(answer)).toBe(true);
});

test('answers many requests on one connection, in order', async () => {
  const mock = await openMock();
  const absolute = head(mock, 'GET http://a.example:80/v1/models?a=1');
  const answers = await talk(mock, head(mock, GET) + absolute + head(mock, 'GET /v1/none', CLOSE));
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
});

test('reads a body that comes byte by byte, in chunks, after 100-continue', async () => {
  const mock = await openMock();
  const chunks = CHAT.split('').map((byte) => `1\r\n${byte}\r\n`);
  const headers = head(mock, POST, 'Transfer-Encoding: chunked', 'Expect: 100-continue', CLOSE);
  const answer = await talk(mock, headers, ...chunks, '0\r\n\r\n');
  expect(answer.match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
});

test.each<[string, string | ((mock: Mock) => string)]>([
  ['400 malformed_http', 'GET / HTTP/9\r\n\r\n'],
  ['400 malformed_http', 'nonsense\r\n\r\n'],
  ['400 malformed_http', '\u0000\u0001\u0002'],
  ['400 malformed_http', 'GET /v1/models HTTP/1.1\r\nbroken\r\n\r\n'],
  ['400 malformed_http', 'GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['431 headers_too_large', (mock) => head(mock, GET, `X-Long: ${'x'.repeat(40_000)}`)],
  ['414 uri_too_long', (mock) => head(mock, `GET ${'/v1/models?'.padEnd(8193, 'x')}`, CLOSE)],
  ['417 expectation_failed', (mock) => head(mock, GET, 'Expect: miracles', CLOSE)],
  ['404 not_found', (mock) => head(mock, 'CONNECT example.com:443')],
  // It says that it is too large before it arrives.
  ['413 body_too_large', (mock) => post(mock, 'x'.repeat(1001))],
  // It asks for the key before it complains of the body.
  ['401 missing_key', `${POST} HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n${'x'.repeat(1001)}`],
])('answers with %s, in an error object, given %j', async (expected, bytes) => {
  const mock = await openWith({ bodyBytes: 1000 });
  expect(errorIn(await talk(mock, typeof bytes === 'string' ? bytes : bytes(mock))).refused).toBe(expected);
});

test('reads a path of 8192 characters', async () => {
  const mock = await openMock();
  const path = '/v1/models?'.padEnd(8192, 'x');
  expect(await talk(mock, head(mock, `GET ${path}`, CLOSE))).toMatch(/^HTTP\/1.1 200 /);
});

test('answers HEAD without a body, and names the method that is allowed', async () => {
  const mock = await openMock();
  const answer = await talk(mock, head(mock, 'HEAD /v1/models', CLOSE));
  expect(answer).toMatch(/^HTTP\/1.1 405 .*\r\nallow: GET\r\n.*\r\n\r\n$/s);
});

test('refuses a body that grows too large while it arrives, and hears its sender out', async () => {
  const mock = await openWith({ bodyBytes: 1000 });
  const chunks = Array.from({ length: 500 }, () => `2710\r\n${'x'.repeat(10_000)}\r\n`);
  const received = await talk(mock, head(mock, POST, 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n');
  expect(received).toContain('connection: close');
  expect(errorIn(received).refused).toBe('413 body_too_large');
});

test('cuts a client that sends nothing, half a head, or half a body', async () => {
  const mock = await openWith({ headersMs: 50, requestMs: 50 });
  const silent = talk(mock);
  const halfHead = talk(mock, 'GET /v1/models HTTP/1.1\r\nHost:');
  const halfBody = talk(mock, head(mock, POST, 'Content-Length: 100'), '{');
  expect(errorIn(await halfHead).refused).toBe('408 request_timeout');
  expect(errorIn(await halfBody).refused).toBe('408 request_timeout');
  await silent;
});

test('gives back the slots of requests that were pipelined and left alone', async () => {
  const mock = await openMock({ latency: 40 });
  const slots = mock.world.keys.find(({ name }) => name === 'primary')?.concurrency ?? 0;
  const { socket } = dial(mock, post(mock, CHAT).repeat(slots));
  await expect.poll(() => mock.workspace.entries().length).toBe(slots);
  socket.destroy();
  await expect.poll(async () => (await complete(mock)).status).toBe(200);
});

test('goes on after clients that break off at any byte', async () => {
  const mock = await openMock();
  const request = post(mock, CHAT);
  for (let cut = 0; cut < request.length; cut += 7) dial(mock).socket.end(request.slice(0, cut));
  expect((await get(mock, 'models')).status).toBe(200);
  expect(mock.workspace.entries()).toEqual([]);
});

test('closes although connections are open and idle', async () => {
  const mock = await openWith({ drainMs: 60_000 });
  const [idle, answered] = [dial(mock), dial(mock, head(mock, GET))];
  await expect.poll(() => isWhole(answered.received.bytes)).toBe(true);
  await mock.close();
  expect(await idle.over).toMatchObject({ bytes: '' });
  await answered.over;
});

test('lets no refusal pass for the answer that is still due on a connection', async () => {
  const mock = await openMock({ latency: 40 });
  expect(await talk(mock, `${post(mock, CHAT)}nonsense\r\n\r\n`)).toBe('');
  await expect.poll(() => mock.workspace.entries().map(({ state }) => state)).toEqual(['succeeded']);
});
