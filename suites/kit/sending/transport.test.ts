import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTransport } from './transport.ts';

/** A raw server that hands every request's socket to `answer`, and counts what arrived. */
async function raw(answer: (socket: Socket) => void): Promise<{ origin: string; arrived: () => number }> {
  let arrivals = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      arrivals += 1;
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived: () => arrivals };
}

async function exchange(origin: string, timeoutMs = 5000) {
  const transport = openTransport(origin, timeoutMs);
  onTestFinished(() => transport.close());
  return transport.exchange({ method: 'POST', path: '/v1/x', headers: {}, body: Buffer.from('{}') });
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n';

test('gathers status, headers, bytes and the arrival of each piece', async () => {
  const { origin } = await raw((socket) => {
    socket.write(`${head}ab`);
    setTimeout(() => socket.end('cd'), 20);
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

test('knows that a refused connection sent nothing', async () => {
  const { origin } = await raw(() => {});
  expect(await exchange('http://127.0.0.1:1')).toEqual({ kind: 'not-sent', reason: 'connection refused' });
  expect(origin).toContain('127.0.0.1');
});

test('is uncertain after a reset, a cut body, silence, or a gateway error, and never sends again', async () => {
  const reset = await raw((socket) => void socket.resetAndDestroy());
  expect((await exchange(reset.origin)).kind).toBe('uncertain');
  const cut = await raw((socket) => void socket.end(`${head}ab`));
  expect(await exchange(cut.origin)).toMatchObject({ kind: 'uncertain', answer: { status: 200 } });
  const silent = await raw(() => {});
  expect(await exchange(silent.origin, 50)).toMatchObject({
    kind: 'uncertain',
    reason: 'no complete answer within 50 ms',
  });
  const gateway = await raw(
    (socket) => void socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
  );
  expect(await exchange(gateway.origin)).toMatchObject({
    kind: 'uncertain',
    reason: 'gateway error: status 502',
  });
  for (const server of [reset, cut, silent, gateway]) expect(server.arrived()).toBe(1);
});

test('is uncertain given bytes that are not HTTP', async () => {
  const { origin } = await raw((socket) => void socket.end('garbage\r\n\r\n'));
  expect((await exchange(origin)).kind).toBe('uncertain');
});

test('ends a body that never ends', async () => {
  const { origin } = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    const drip = setInterval(() => socket.write('.'), 5);
    socket.on('close', () => clearInterval(drip));
  });
  expect(await exchange(origin, 60)).toMatchObject({
    kind: 'uncertain',
    reason: 'no complete answer within 60 ms',
  });
});

test('takes the status of a gateway as an answer when a refusal was armed', async () => {
  const { origin } = await raw((socket) => {
    socket.end('HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n');
  });
  const transport = openTransport(origin, 5000);
  onTestFinished(() => transport.close());
  const request = { method: 'POST', path: '/v1/x', headers: {}, body: Buffer.from('{}') };
  const kinds = [
    await transport.exchange(request, { armed: 'refusal' }),
    await transport.exchange(request, { armed: 'loss' }),
  ].map(({ kind }) => kind);
  expect(kinds).toEqual(['answered', 'uncertain']);
});

test('is uncertain given an answer whose loss was armed', async () => {
  const leave = new AbortController();
  const { origin } = await raw(() => leave.abort());
  const transport = openTransport(origin, 60_000);
  onTestFinished(() => transport.close());
  const request = { method: 'POST', path: '/v1/x', headers: {}, body: Buffer.from('{}') };
  expect(await transport.exchange(request, { armed: 'loss', giveUp: leave.signal })).toEqual({
    kind: 'uncertain',
    reason: 'no longer waited for: the run armed the loss of its answer',
  });
});
