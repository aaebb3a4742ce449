import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Network } from '../../../suites/kit/model/network.ts';
import { type Authority, type Certificate, makeAuthority } from '../network/servers/authority.ts';
import { lacking } from '../network/servers/programs.ts';
import { proxied, rawClient } from './proxied.ts';

const missing = lacking('openssl');
let authority: Authority;
let own: Certificate;
let known: Certificate;

beforeAll(() => {
  if (missing !== undefined) return;
  authority = makeAuthority();
  own = authority.issue('gateway', 'DNS:localhost');
  known = authority.issue('runner', 'DNS:runner');
});

afterAll(() => authority?.remove());

function pem({ cert, key }: Certificate): { readonly cert: string; readonly key: string } {
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

/** Listens until the test ends. Returns the port. */
async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const MODELS = JSON.stringify({ object: 'list', data: [{ id: 'model-a', object: 'model' }] });

/** Reads the models through a proxy to the target. */
async function modelsThrough(target: string, network?: Network): Promise<string> {
  const { forwarder, observer } = await proxied(target, { network });
  const headers = { authorization: 'Bearer test-key-0001' };
  const response = await fetch(`${forwarder.baseUrl}/models`, { headers });
  expect(response.headers.get('x-way')).toBe('taken');
  const { checks } = await observer.summary();
  expect(checks.find(({ id }) => id === 'model-ids-can-be-read')?.verdict).toBe('pass');
  return response.text();
}

const answering: RequestListener = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'x-way': 'taken' }).end(MODELS);
};

test('shows a service its certificate, and trusts the authority', async ({ skip }) => {
  skip(missing !== undefined, missing);
  let shown: string | undefined;
  const ca = readFileSync(authority.cert, 'utf8');
  const options = { ...pem(own), ca, requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer(options, (request, response) => {
    const { socket } = request;
    if (socket instanceof TLSSocket) shown = String(socket.getPeerCertificate().subject.CN);
    answering(request, response);
  });
  const target = `https://localhost:${await listening(server)}/v1`;
  expect(await modelsThrough(target, { tls: { ca, ...pem(known) } })).toBe(MODELS);
  expect(shown).toBe('runner');
  const { forwarder } = await proxied(target, { network: { tls: { ca } } });
  await expect(fetch(`${forwarder.baseUrl}/models`)).rejects.toThrow('fetch failed');
});

test('passes HTTP/2 of a service on as HTTP/1.1', async ({ skip }) => {
  skip(missing !== undefined, missing);
  const ca = readFileSync(authority.cert, 'utf8');
  const server = createSecureServer(pem(own));
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json', 'x-way': 'taken' });
    stream.end(MODELS);
  });
  const target = `https://localhost:${await listening(server)}/v1`;
  expect(await modelsThrough(target, { http2: true, tls: { ca } })).toBe(MODELS);
});

test('lets no request wait for another, however many are under way', async () => {
  const crowd = 300;
  const held: (() => void)[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    held.push(() => answering(request, response));
    if (held.length === crowd) resolve();
  });
  const { forwarder, observer } = await proxied(`http://127.0.0.1:${await listening(server)}/v1`);
  const get = 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const clients = Array.from({ length: crowd }, () => rawClient(forwarder.baseUrl, get));
  await all;
  for (const answer of held) answer();
  for (const client of clients) await client.untilText(MODELS);
  expect((await observer.summary()).spent.requests).toBe(crowd);
});
