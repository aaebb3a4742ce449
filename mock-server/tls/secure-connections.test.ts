import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { openMock } from '../test-support/open-mock.ts';
import { completeWorld } from '../world/complete-world.ts';
import { makeAuthority } from './certificates.ts';
import { ask } from './test-support/ask.ts';

const openTls = (options: MockOptions = {}): Promise<Mock> =>
  openMock({ tls: true, control: true, ...options });

const journal = ({ sandboxes }: Mock): readonly object[] => sandboxes.root.journal?.entries() ?? [];
const faults = (...lines: readonly string[]): MockOptions => ({ faults: lines });

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"a"}],"max_tokens":8}';
const SENT = { method: 'POST', headers: { 'content-type': 'application/json' }, body: CHAT };

test('serves who trusts its authority, by address and by any name', async () => {
  const mock = await openTls();
  expect(mock.url).toBe(`https://127.0.0.1:${mock.port}/v1`);
  expect(await ask(mock, '/v1/models')).toMatchObject({ status: 200 });
  expect(await ask(mock, '/v1/chat/completions', SENT)).toMatchObject({ status: 200 });
  const names = ['localhost', 'mock', 'mock.test'];
  for (const servername of names)
    expect(await ask(mock, '/v1/models', { servername })).toMatchObject({ status: 200 });
  expect(journal(mock)).toHaveLength(2 + names.length);
});

test('is trusted by nobody else', async () => {
  const mock = await openTls();
  await expect(ask(mock, '/v1/models', { ca: [] })).rejects.toMatchObject({
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
});

test('says nothing in a handshake, and closes without waiting for it', async () => {
  const mock = await openTls(faults('timeout phase=handshake'));
  const socket = connect({ port: mock.port, host: '127.0.0.1', ca: mock.ca ?? '' }).on('error', () => {});
  await expect.poll(() => journal(mock)).toMatchObject([{ method: 'TLS', ended: 'silent' }]);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.once('close', () => resolve());
  await mock.close();
  await closed;
});

test('has every other fault, with the bytes of the answer as its journal counts them', async () => {
  const mock = await openTls(faults('connection_reset phase=before-authentication times=1'));
  await expect(ask(mock, '/v1/models')).rejects.toMatchObject({ code: 'ECONNRESET' });
  const socket = connect({ port: mock.port, host: '127.0.0.1', ca: mock.ca ?? '' });
  const head = ['GET /v1/models HTTP/1.1', 'Host: a', 'Connection: close', '', ''].join('\r\n');
  socket.write(head);
  const whole = await text(socket);
  expect(journal(mock)).toMatchObject([{ ended: 'cut' }, { status: 401, bytesWritten: whole.length }]);
});

test('tells of a client that spoke no TLS, or broke the handshake off', async () => {
  const lines: string[] = [];
  const mock = await openTls({ log: (line) => lines.push(line) });
  const socket = connectPlain(mock.port, '127.0.0.1');
  socket.end('GET /v1/models HTTP/1.1\r\nHost: a\r\n\r\n');
  await text(socket).catch(() => '');
  await expect
    .poll(() => lines)
    .toEqual([
      'a TLS handshake failed: the client spoke HTTP without TLS; the base URL begins with https://',
    ]);
  expect(journal(mock)).toMatchObject([{ method: 'TLS', path: 'handshake', fault: null }]);
});

test('lets go of a client that never begins its handshake', async () => {
  const mock = await openTls({ world: completeWorld({ limits: { headersMs: 30 } }) });
  const socket = connectPlain(mock.port, '127.0.0.1').on('error', () => {});
  await once(socket.resume(), 'close');
  expect(journal(mock)).toHaveLength(1);
});

test('has one origin for its control API, its page and its sandboxes', async () => {
  const mock = await openTls();
  const made = { method: 'POST', body: '{"id":"s1"}' };
  const own = { ...made, headers: { origin: mock.origin, 'sec-fetch-site': 'same-origin' } };
  const { status, body } = await ask(mock, '/control/sandboxes', own);
  expect({ status, body: JSON.parse(body) }).toMatchObject({
    status: 201,
    body: { url: `${mock.origin}/sandboxes/s1/v1` },
  });
  const other = { ...made, headers: { origin: mock.origin.replace('https', 'http') } };
  expect(await ask(mock, '/control/sandboxes', other)).toMatchObject({ status: 403 });
  expect(await ask(mock, '/control/ui')).toMatchObject({ status: 200 });
});

test('shows a given certificate, to whoever trusts its authority', async () => {
  const authority = await makeAuthority();
  const tls = authority.issue(['127.0.0.1']);
  const mock = await openTls({ tls, ...faults('connection_closed phase=handshake nth=2') });
  expect(mock.ca).toBe(undefined);
  const trusting = { ca: authority.ca };
  expect(await ask(mock, '/v1/models', trusting)).toMatchObject({ status: 200 });
  await expect(ask(mock, '/v1/models', trusting)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test.each<[MockOptions, string, string]>([
  [{}, 'wrong_certificate', '/0/phase: a handshake is possible only with --tls'],
  [{}, 'timeout phase=handshake', '/0/phase: a handshake is possible only with --tls'],
  [{ tls: true }, 'wrong_certificate key=primary', '/0/match: wrong_certificate happens before'],
  [{ tls: true }, 'timeout phase=handshake endpoint=chat', '/0/phase: impossible for timeout here'],
  [{ tls: true }, 'wrong_certificate per=connection nth=1', '/0/match: '],
])('arms no handshake that cannot happen: %j %s', async (options, line, message) => {
  await expect(startMock({ ...options, faults: [line] })).rejects.toThrow(message);
});

test('arms no wrong certificate in a sandbox, or beside a given one', async () => {
  const tls = (await makeAuthority()).issue(['127.0.0.1']);
  await expect(startMock({ tls, faults: ['wrong_certificate'] })).rejects.toThrow(
    'impossible with a certificate of yours',
  );
  const mock = await openTls();
  await ask(mock, '/control/sandboxes', { method: 'POST', body: '{"id":"s1"}' });
  const armed = { method: 'POST', body: 'wrong_certificate times=1' };
  expect(await ask(mock, '/control/sandboxes/s1/faults', armed)).toMatchObject({ status: 400 });
  expect(await ask(mock, '/control/faults', armed)).toMatchObject({ status: 201 });
});
