import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveSockets } from '../../../suites/engine/test-support/service.ts';
import { type Proxied, proxied, rawClient, Received } from './proxied.ts';

const GET =
  'GET /v1/models HTTP/1.1\r\nHost: localhost:9\r\nOrigin: http://localhost:3000\r\nX-Order: 1\r\nTE: trailers\r\n' +
  'X-Mine: 1\r\nConnection: close, X-Mine\r\nx-order: 2\r\nAuthorization: Bearer test-key-0001\r\n\r\n';

interface Between extends Proxied {
  /** The connection to the service, with what arrived of the request. */
  readonly service: Promise<Received>;
  readonly client: Received;
}

/** A client's bytes on their way to a service that the test plays. */
async function between(bytes: string): Promise<Between> {
  const { promise: service, resolve } = Promise.withResolvers<Received>();
  const origin = await serveSockets((socket) => resolve(new Received(socket)));
  const proxy = await proxied(`${origin}/v1`);
  return { ...proxy, service, client: rawClient(proxy.forwarder.baseUrl, bytes) };
}

test('passes the headers of a request on in their order and spelling, but those of the connection', async () => {
  const { service } = await between(GET);
  const received = await service;
  await received.untilText('\r\n\r\n');
  expect(received.text).toMatch(/^GET \/v1\/models HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/);
  expect(received.text).toContain('X-Order: 1\r\nx-order: 2\r\nAuthorization: Bearer test-key-0001\r\n');
});

test.each([
  ['http://other.example/v1/models', 'localhost', '400'],
  ['*', 'localhost', '400'],
  ['/v1/models', 'rebound.example', '403'],
  ['/v1/models', 'localhost\r\nOrigin: http://evil.example', '403'],
  ['/v1/models', 'localhost\r\nSec-Fetch-Site: cross-site', '403'],
])('refuses %s of the host %s with %s, and sends nothing on', async (target, host, status) => {
  const { client, forwarder, service } = await between(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await client.untilText('\r\n\r\n');
  expect(client.text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
  rawClient(forwarder.baseUrl, GET);
  const received = await service;
  await received.untilText('\r\n\r\n');
  expect(received.text).toMatch(/^GET \/v1\/models HTTP\/1\.1\r\n[^]*\r\nX-Order: 1\r\n/);
});

test('passes status, reason, headers and body of an answer on as they are', async () => {
  const { service, client } = await between(GET);
  const { socket, ...received } = await service;
  expect(received.error).toBeUndefined();
  socket.write(
    'HTTP/1.1 299 As You Like\r\nX-Twice: a\r\nx-twice: b\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '5\r\nh\u00e9llo\r\n0\r\nX-End: yes\r\n\r\n',
    'latin1',
  );
  await client.untilText('0\r\n\r\n');
  expect(client.text).toMatch(/^HTTP\/1\.1 299 As You Like\r\nX-Twice: a\r\nx-twice: b\r\n/);
  expect(client.text).toContain('\r\n5\r\nh\u00e9llo\r\n0\r\n\r\n');
  expect(client.text).not.toMatch(/^date:/im);
});

test('passes a compressed body on as it is, and judges what is in it', async () => {
  const { service, client, recorder } = await between(GET);
  const body = gzipSync(JSON.stringify({ data: [{ id: 'model-a' }] }));
  const { socket } = await service;
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body);
  await client.until(
    ({ text }) => text.length >= text.indexOf('\r\n\r\n') + 4 + body.length && text.includes('\r\n\r\n'),
  );
  const received = Buffer.from(client.text.slice(client.text.indexOf('\r\n\r\n') + 4), 'latin1');
  expect(received.equals(body)).toBe(true);
  expect(gunzipSync(received).toString()).toContain('model-a');
  const { checks } = await recorder.summary();
  expect(checks.find(({ id }) => id === 'model-ids-can-be-read')?.verdict).toBe('pass');
});

test('passes the head of an answer and each piece of a stream on before the next one is there', async () => {
  const { service, client } = await between(GET);
  const { socket } = await service;
  socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
  await client.untilText('\r\n\r\n');
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    await client.untilText(piece);
  }
  expect(client.text).not.toContain('0\r\n\r\n');
});

test('passes a request body on before its end is there', async () => {
  const { service, client } = await between(
    'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nabc',
  );
  const received = await service;
  await received.untilText('abc');
  client.socket.write('def');
  await received.untilText('abcdef');
  expect(received.text).toMatch(/\r\ncontent-length: 6\r\n/i);
});

test.each([
  ['has a length', 'Content-Length: 10\r\n\r\nhal'],
  ['is chunked', 'Transfer-Encoding: chunked\r\n\r\n3\r\nhal\r\n'],
])('ends the connection in the middle of a body that %s, as the service does', async (_, head) => {
  const { service, client, recorder } = await between(GET);
  const { socket } = await service;
  socket.write(`HTTP/1.1 200 OK\r\n${head}`);
  await client.untilText('hal');
  socket.end();
  await client.untilClosed();
  expect(client.error).toBeUndefined();
  expect(client.text).not.toContain('0\r\n\r\n');
  expect((await recorder.summary()).uncertain).toHaveLength(1);
});

test('closes the connection to the service when the caller leaves', async () => {
  const { service, client, recorder, ended } = await between(GET);
  const received = await service;
  await received.untilText('\r\n\r\n');
  client.socket.destroy();
  await received.untilClosed();
  await ended(1);
  const { uncertain } = await recorder.summary();
  expect(uncertain.map(({ reason }) => reason)).toEqual(['the caller closed its connection']);
});

test('ends the connection of the caller when nothing listens at the target', async () => {
  const { forwarder, recorder } = await proxied('http://127.0.0.1:1/v1');
  const client = rawClient(forwarder.baseUrl, GET);
  await client.untilClosed();
  expect(client.text).toBe('');
  expect((await recorder.summary()).spent.requests).toBe(1);
});

test('lets no request wait for another, however many are under way', async () => {
  const crowd = 100;
  const held: Received[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const origin = await serveSockets((socket) => {
    held.push(new Received(socket));
    if (held.length === crowd) resolve();
  });
  const { forwarder, recorder } = await proxied(`${origin}/v1`);
  const clients = Array.from({ length: crowd }, () => rawClient(forwarder.baseUrl, GET));
  await all;
  for (const { socket } of held) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  for (const client of clients) await client.untilText('{}');
  expect((await recorder.summary()).spent.requests).toBe(crowd);
});
