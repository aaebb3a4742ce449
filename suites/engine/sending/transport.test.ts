import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Transport } from '../model/exchange.ts';
import { addressOf, type Network } from '../model/network.ts';
import { portOf, serve, serveSockets } from '../test-support/service.ts';
import { openTransport } from './transport.ts';

/** A raw server that hands every request's socket to `answer`, and counts what arrived. */
async function raw(answer: (socket: Socket) => void): Promise<{ origin: string; arrived: () => number }> {
  let arrivals = 0;
  const origin = await serveSockets((socket) => {
    socket.on('data', () => {
      arrivals += 1;
      answer(socket);
    });
  });
  return { origin, arrived: () => arrivals };
}

function opened(origin: string, timeoutMs = 5000, network?: Network): Transport {
  const transport = openTransport(addressOf(origin), timeoutMs, network);
  onTestFinished(() => transport.close());
  return transport;
}

const POST = { method: 'POST', path: '/v1/x', headers: {}, body: Buffer.from('{}') };
const GET = { method: 'GET', path: '/v1/x', headers: {}, body: undefined };

const exchange = (origin: string, timeoutMs?: number) => opened(origin, timeoutMs).exchange(POST);

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n';

test('gathers status, headers, bytes and the arrival of each piece', async () => {
  const { origin } = await raw((socket) => {
    socket.write(`${head}ab`);
    void setTimeout(20).then(() => socket.end('cd'));
  });
  const outcome = await exchange(origin);
  expect(outcome).toMatchObject({
    kind: 'answered',
    answer: { status: 200, headers: { 'content-type': 'text/plain' } },
  });
  if (outcome.kind !== 'answered') return;
  expect(Buffer.from(outcome.answer.body).toString()).toBe('abcd');
  expect(outcome.answer.pieces.map((piece) => piece.upTo)).toEqual([2, 4]);
});

const reset = (socket: Socket): void => void socket.resetAndDestroy();
const ends = (bytes: string) => (socket: Socket) => void socket.end(bytes);
const status = (line: string): string => `HTTP/1.1 ${line}\r\ncontent-length: 0\r\n\r\n`;

/** Sends a body that never ends. */
function drips(socket: Socket): void {
  socket.write(head.replace('4', '100000'));
  const drip = setInterval(() => socket.write('.'), 5);
  socket.on('close', () => clearInterval(drip));
}

test.each([
  ['a reset', reset, {}],
  ['a cut body', ends(`${head}ab`), { answer: { status: 200 } }],
  ['silence', () => {}, { reason: 'no complete answer within 60 ms' }, 60],
  ['a body that never ends', drips, { reason: 'no complete answer within 60 ms' }, 60],
  ['a gateway error', ends(status('502 Bad Gateway')), { reason: 'gateway error: status 502' }],
  ['bytes that are not HTTP', ends('garbage\r\n\r\n'), {}],
])('is uncertain after %s, and never sends again', async (_, answer, about, timeoutMs = 5000) => {
  const { origin, arrived } = await raw(answer);
  expect(await exchange(origin, timeoutMs)).toMatchObject({ kind: 'uncertain', ...about });
  // A busy machine sees it arrive after the wait is over.
  await expect.poll(arrived).toBe(1);
});

test.each([
  ['bytes', `${head.replace('4', '99999999999')}${'x'.repeat(64 * 1024)}`, 'x'.repeat(64 * 1024)],
  ['chunks', head.replace('content-length: 4', 'transfer-encoding: chunked'), '1\r\nx\r\n'.repeat(4096)],
])('closes the connection of an answer that has ever more %s, and says so', async (what, first, more) => {
  const { origin } = await raw((socket) => {
    socket.write(first);
    const flood = (): void => {
      while (!socket.destroyed && socket.write(more));
      socket.once('drain', flood);
    };
    flood();
  });
  const { kind, ...outcome } = await exchange(origin, 60_000);
  expect([kind, outcome]).toMatchObject([
    'uncertain',
    { reason: expect.stringMatching(`^an answer .* more than \\d+ ${what}`) },
  ]);
  if (!('answer' in outcome)) throw new TypeError('it has begun');
  expect(outcome.answer?.body.length).toBeLessThanOrEqual(256 * 1024);
});

test('takes the status of a gateway as an answer when a refusal was armed, and waits for none whose loss was', async () => {
  const { origin } = await raw(ends(status('503 Unavailable')));
  expect(await opened(origin).exchange(POST, { armed: 'refusal' })).toMatchObject({ kind: 'answered' });
  expect(await opened(origin).exchange(POST, { armed: 'loss' })).toMatchObject({ kind: 'uncertain' });
  const leave = new AbortController();
  const silent = await raw(() => leave.abort('the run armed the loss of its answer'));
  const lost = { armed: 'loss', giveUp: leave.signal } as const;
  expect(await opened(silent.origin, 60_000).exchange(POST, lost)).toEqual({
    kind: 'uncertain',
    reason: 'no longer waited for: the run armed the loss of its answer',
  });
});

const arrives = (): void => {
  throw new Error('the request arrived');
};

test.each<[string, () => Promise<string>, object, Record<string, string>?]>([
  ['a refused connection', async () => 'http://127.0.0.1:1', { reason: 'connection refused' }],
  ['a host without an address', async () => 'http://no-such-host.invalid', {}],
  ['a TLS handshake that is reset', async () => tls(await raw(reset)), {}],
  ['a service that speaks no TLS', async () => tls(await raw(ends(head))), {}],
  ['a header that HTTP does not know', async () => (await raw(arrives)).origin, {}, { 'x-odd': 'a\nb' }],
])('knows that nothing was sent given %s', async (_, origin, about, headers = {}) => {
  const transport = opened(await origin());
  expect(await transport.exchange({ ...POST, headers })).toMatchObject({ kind: 'not-sent', ...about });
});

const tls = ({ origin }: { readonly origin: string }): string => origin.replace('http:', 'https:');

test('sends the next request elsewhere given a large one that was refused before it was read', async () => {
  // It keeps the connection, and closes it only a moment later.
  const hasty = await serveSockets((socket) => {
    socket.on('data', (chunk) => {
      const isLarge = /content-length: \d{6}/i.test(chunk.toString('latin1'));
      if (isLarge) socket.pause();
      socket.write(status(isLarge ? '413 Too Large' : '200 OK'));
      if (isLarge) void setTimeout(30).then(() => socket.destroy());
    });
  });
  const transport = opened(hasty);
  const statuses = [];
  for (const bytes of [2, 900_000, 2, 900_000, 2]) {
    const outcome = await transport.exchange({ ...POST, body: Buffer.alloc(bytes) });
    statuses.push(outcome.kind === 'answered' && outcome.answer.status);
  }
  expect(statuses).toEqual([200, 413, 200, 413, 200]);
});

test('holds back the last byte until all requests have come as far', async () => {
  let received = '';
  const origin = await serveSockets((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (received.endsWith('{}')) socket.end(`${head}abcd`);
    });
  });
  const transport = opened(origin);
  const isReady = Promise.withResolvers<void>();
  const mayGo = Promise.withResolvers<void>();
  const hold = (): Promise<void> => {
    isReady.resolve();
    return mayGo.promise;
  };
  const answer = transport.exchange(POST, { hold });
  await isReady.promise;
  await expect.poll(() => received).toMatch(/content-length: 2\r\n[^]*\{$/);
  mayGo.resolve();
  expect(await answer).toMatchObject({ kind: 'answered', answer: { status: 200 } });
});

/** What becomes of a request through a proxy that treats every connection in this way. */
async function through(answer: (socket: Socket) => void, to = 'https://host.example') {
  const { origin, arrived } = await raw(answer);
  const network = { proxies: { http: origin, https: origin, except: '', forLoopback: true } };
  const transport = opened(to, 5000, network);
  const outcome = await transport.exchange(GET);
  return { outcome, arrived: arrived() };
}

test.each([
  ['cuts the connection', reset, 'no connection to the proxy'],
  ['closes the connection', ends(''), 'no connection to the proxy'],
  ['says something else than HTTP', ends('SSH-2.0\r\n'), 'no connection'],
  ['opens no tunnel', ends(status('403 No')), 'refused a tunnel to host.example:443 (403)'],
])('knows that nothing was sent, and asks once, given a proxy that %s', async (_, answer, reason) => {
  const { outcome, arrived } = await through(answer);
  expect(outcome).toEqual({ kind: 'not-sent', reason: expect.stringContaining(reason) });
  expect(arrived).toBe(1);
});

test('is uncertain given a proxy that breaks once the request has left', async () => {
  expect((await through(reset, 'http://host.example')).outcome.kind).toBe('uncertain');
});

test.each([
  ['to its target', undefined],
  ['to a proxy', 'http://host.example'],
])('sends no request over a connection %s that was idle for half a second', async (_, origin) => {
  const sockets: Socket[] = [];
  const { server } = await serve(({ request }, response) => {
    sockets.push(request.socket);
    // Like gunicorn, it does not announce how long it keeps a connection.
    response.writeHead(200, { connection: 'keep-alive' }).end('{}');
  });
  server.keepAliveTimeout = 1000;
  const here = `http://127.0.0.1:${portOf(server)}`;
  const transport = opened(origin ?? here, 5000, { proxies: { http: here, except: '', forLoopback: false } });
  for (const pause of [0, 0, 0, 0, 0, 0, 800]) {
    await setTimeout(pause);
    expect((await transport.exchange(POST)).kind).toBe('answered');
  }
  const last = sockets.pop();
  expect(sockets).not.toContain(last);
  expect(new Set(sockets).size).toBeLessThan(sockets.length);
});

/** Answers each connection's first request, and closes it with the second. */
const answersOnce = (socket: Socket): void => {
  if (socket.bytesWritten === 0) socket.write(status('200 OK'));
  else socket.resetAndDestroy();
};

test.each([
  ['a new connection', 0, /^the connection broke: /],
  ['a connection that was used before', 1, /^the connection broke as the request left: /],
])('tells the end of %s as that', async (_, before, reason) => {
  const ended = async () => {
    const { origin } = await raw(before === 0 ? reset : answersOnce);
    const transport = opened(origin);
    if (before > 0) await transport.exchange(GET);
    // Only then is its connection free.
    await setTimeout(0);
    return transport.exchange(GET);
  };
  await expect.poll(ended).toEqual({ kind: 'uncertain', reason: expect.stringMatching(reason) });
});
