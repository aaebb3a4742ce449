import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { Limits } from '../world/world.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}';

interface Wire {
  readonly mock: Mock;
  readonly open: () => Socket;
  /** Sends bytes and returns everything that comes back until the connection ends. */
  readonly talk: (...bytes: readonly (string | Buffer)[]) => Promise<string>;
}

async function onWire(
  limits: Partial<Limits>,
  use: (context: Wire) => Promise<void>,
  options: MockOptions = {},
): Promise<void> {
  const world = { ...builtInWorld, limits: { ...builtInWorld.limits, drainMs: 500, ...limits } };
  const mock = await startMock({ world, ...options });
  const sockets: Socket[] = [];
  const open = (): Socket => {
    const socket = connect(mock.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    return socket;
  };
  const talk = (...bytes: readonly (string | Buffer)[]): Promise<string> => {
    const socket = open();
    for (const part of bytes) socket.write(part);
    return text(socket);
  };
  try {
    await use({ mock, open, talk });
  } finally {
    for (const socket of sockets) socket.destroy();
    await mock.close();
  }
}

function head(mock: Mock, line: string, ...headers: readonly string[]): string {
  return [
    `${line} HTTP/1.1`,
    'Host: mock',
    `Authorization: Bearer ${mock.keys['primary']}`,
    ...headers,
    '',
    '',
  ].join('\r\n');
}

const POST = 'POST /v1/chat/completions';

function errorIn(answer: string): { status: string; code: string; request_id: string } {
  const [headers = '', body = ''] = answer.split('\r\n\r\n');
  const { error }: { error: { code: string; request_id: string } } = JSON.parse(body);
  expect(headers).toContain(`x-request-id: ${error.request_id}`);
  expect(headers).toContain(`content-length: ${Buffer.byteLength(body)}`);
  return { status: headers.split(' ')[1] ?? '', ...error };
}

test('writes headers once, the length of the body among them', () =>
  onWire({}, async ({ mock, talk }) => {
    const answer = await talk(head(mock, POST, `Content-Length: ${CHAT.length}`, 'Connection: close'), CHAT);
    const [headers = '', body = ''] = answer.split('\r\n\r\n');
    expect(headers.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase())).toEqual([
      'http/1.1 200 ok',
      'date',
      'x-request-id',
      'content-type',
      'content-length',
      'connection',
    ]);
    expect(headers).toContain('date: Thu, 01 Jan 2026 00:00:00 GMT');
    expect(headers).toContain(`content-length: ${Buffer.byteLength(body)}`);
  }));

test('writes a stream whole, with its length', () =>
  onWire({}, async ({ mock, talk }) => {
    const body = CHAT.replace('{', '{"stream":true,');
    const answer = await talk(head(mock, POST, `Content-Length: ${body.length}`, 'Connection: close'), body);
    const [headers = '', events = ''] = answer.split(/\r\n\r\n(.*)/s);
    expect(headers).toContain('content-type: text/event-stream');
    expect(headers).toContain(`content-length: ${Buffer.byteLength(events)}`);
    expect(events.endsWith('data: [DONE]\n\n')).toBe(true);
  }));

test('answers many requests on one connection, in order', () =>
  onWire({}, async ({ mock, talk }) => {
    const get = head(mock, 'GET /v1/models');
    const answer = await talk(get + get + head(mock, 'GET /v1/none', 'Connection: close'));
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  }));

test('reads a body that comes byte by byte, in chunks, after 100-continue', () =>
  onWire({}, async ({ mock, open }) => {
    const socket = open();
    const answer = text(socket);
    socket.write(head(mock, POST, 'Transfer-Encoding: chunked', 'Expect: 100-continue', 'Connection: close'));
    for (const byte of CHAT) socket.write(`1\r\n${byte}\r\n`);
    socket.write('0\r\n\r\n');
    expect((await answer).match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200']);
  }));

test.each([
  'GET / HTTP/9\r\n\r\n',
  'nonsense\r\n\r\n',
  '\u0000\u0001\u0002',
  'GET /v1/models HTTP/1.1\r\nbroken\r\n\r\n',
])('answers bytes that are no request with an error object: %j', (bytes) =>
  onWire({}, async ({ talk }) => {
    expect(errorIn(await talk(bytes))).toMatchObject({ status: '400', code: 'malformed_http' });
  }),
);

test('gives two refusals of the same bytes two request IDs', () =>
  onWire({}, async ({ talk }) => {
    const [one, other] = [errorIn(await talk('nonsense\r\n\r\n')), errorIn(await talk('nonsense\r\n\r\n'))];
    expect(one.request_id).not.toBe(other.request_id);
  }));

test('refuses a request without Host', () =>
  onWire({}, async ({ talk }) => {
    expect(errorIn(await talk('GET /v1/models HTTP/1.1\r\nConnection: close\r\n\r\n'))).toMatchObject({
      code: 'malformed_http',
    });
  }));

test('refuses headers that are too large', () =>
  onWire({}, async ({ mock, talk }) => {
    expect(errorIn(await talk(head(mock, 'GET /v1/models', `X-Long: ${'x'.repeat(40_000)}`)))).toMatchObject({
      status: '431',
      code: 'headers_too_large',
    });
  }));

test('reads a path of 8192 characters, and no longer one', () =>
  onWire({}, async ({ mock, talk }) => {
    const asked = (length: number): Promise<string> =>
      talk(head(mock, `GET ${'/v1/models?'.padEnd(length, 'x')}`, 'Connection: close'));
    expect(await asked(8192)).toMatch(/^HTTP\/1.1 200 /);
    expect(errorIn(await asked(8193))).toMatchObject({ status: '414', code: 'uri_too_long' });
  }));

test('refuses an expectation that it does not know, and a tunnel', () =>
  onWire({}, async ({ mock, talk }) => {
    const expecting = head(mock, 'GET /v1/models', 'Expect: miracles', 'Connection: close');
    expect(errorIn(await talk(expecting))).toMatchObject({ status: '417', code: 'expectation_failed' });
    expect(errorIn(await talk(head(mock, 'CONNECT example.com:443')))).toMatchObject({ code: 'not_found' });
  }));

test('answers HEAD without a body, and names the method that is allowed', () =>
  onWire({}, async ({ mock, talk }) => {
    const answer = await talk(head(mock, 'HEAD /v1/models', 'Connection: close'));
    expect(answer).toMatch(/^HTTP\/1.1 405 .*\r\nallow: GET\r\n.*\r\n\r\n$/s);
  }));

test('refuses a body that says it is too large before it arrives', () =>
  onWire({ bodyBytes: 1000 }, async ({ mock, talk }) => {
    expect(errorIn(await talk(head(mock, POST, 'Content-Length: 1001'), 'x'.repeat(1001)))).toMatchObject({
      status: '413',
      code: 'body_too_large',
    });
  }));

test('refuses a body that grows too large while it arrives, and hears its sender out', () =>
  onWire({ bodyBytes: 1000 }, async ({ mock, open }) => {
    const socket = open();
    const answer = text(socket);
    socket.write(head(mock, POST, 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent < 500; sent += 1) socket.write(`2710\r\n${'x'.repeat(10_000)}\r\n`);
    socket.write('0\r\n\r\n');
    const received = await answer;
    expect(received).toContain('connection: close');
    expect(errorIn(received)).toMatchObject({ status: '413', code: 'body_too_large' });
  }));

test('asks for the key before it complains of the body', () =>
  onWire({ bodyBytes: 10 }, async ({ talk }) => {
    const unauthorized = `${POST} HTTP/1.1\r\nHost: mock\r\nContent-Length: 20\r\n\r\n${'x'.repeat(20)}`;
    expect(errorIn(await talk(unauthorized))).toMatchObject({ status: '401', code: 'missing_key' });
  }));

test('cuts a client that sends nothing, half a head, or half a body', () =>
  onWire({ headersMs: 50, requestMs: 50 }, async ({ mock, open, talk }) => {
    const silent = text(open());
    const halfHead = talk('GET /v1/models HTTP/1.1\r\nHost:');
    const halfBody = talk(head(mock, POST, 'Content-Length: 100'), '{');
    expect(errorIn(await halfHead)).toMatchObject({ status: '408', code: 'request_timeout' });
    expect(errorIn(await halfBody)).toMatchObject({ status: '408', code: 'request_timeout' });
    await silent;
  }));

test('gives back the slots of requests that were pipelined and left alone', () =>
  onWire(
    {},
    async ({ mock, open }) => {
      const socket = open();
      const request = head(mock, POST, `Content-Length: ${CHAT.length}`) + CHAT;
      const slots = mock.world.keys.find(({ name }) => name === 'primary')?.concurrency ?? 0;
      socket.write(request.repeat(slots));
      await expect.poll(() => mock.ledger.entries().length).toBe(slots);
      socket.destroy();
      const retry = async (): Promise<number> => {
        const response = await fetch(`${mock.url}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' },
          body: CHAT,
        });
        return response.status;
      };
      await expect.poll(retry).toBe(200);
      expect(mock.ledger.invariants()).toEqual([]);
    },
    { latency: 40 },
  ));

test('goes on after clients that break off at any byte', () =>
  onWire({}, async ({ mock, open }) => {
    const request = head(mock, POST, `Content-Length: ${CHAT.length}`) + CHAT;
    for (let cut = 0; cut < request.length; cut += 7) {
      const socket = open();
      socket.end(request.slice(0, cut));
      socket.resume();
    }
    const response = await fetch(`${mock.url}/models`, {
      headers: { authorization: `Bearer ${mock.keys['primary']}` },
    });
    expect(response.status).toBe(200);
    expect(mock.ledger.entries()).toEqual([]);
  }));

test('closes although connections are open and idle', () =>
  onWire({ drainMs: 60_000 }, async ({ mock, open }) => {
    const idle = open();
    const answered = open();
    answered.write(head(mock, 'GET /v1/models'));
    await new Promise((resolve) => answered.once('data', resolve));
    await mock.close();
    expect(await Promise.all([text(idle), text(answered)])).toEqual(['', expect.any(String)]);
  }));

test('lets no refusal pass for the answer that is still due on a connection', () =>
  onWire(
    {},
    async ({ mock, talk }) => {
      const request = head(mock, POST, `Content-Length: ${CHAT.length}`) + CHAT;
      expect(await talk(`${request}nonsense\r\n\r\n`)).toBe('');
      await expect.poll(() => mock.ledger.entries().map(({ state }) => state)).toEqual(['succeeded']);
    },
    { latency: 40 },
  ));
