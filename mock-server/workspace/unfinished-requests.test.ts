import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Mock, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":8}';

const world = {
  ...builtInWorld,
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: 1 })),
  limits: { ...builtInWorld.limits, headersMs: 150, requestMs: 150, bodyBytes: 10_000, drainMs: 200 },
};

interface Client {
  readonly socket: Socket;
  readonly received: { bytes: string };
  readonly closed: Promise<unknown>;
}

function call(mock: Mock, headers: string): Client {
  const socket = connect(mock.port, '127.0.0.1').on('error', () => {});
  const received = { bytes: '' };
  socket.on('data', (bytes: Buffer) => (received.bytes += bytes.toString('latin1')));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const key = mock.keys['primary'];
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`,
  );
  return { socket, received, closed };
}

/** Writes again and again, until the connection is gone. */
function keepWriting({ socket }: Client, bytes: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(bytes), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** What a client does, and what it hears before its connection ends. */
const CLIENTS: readonly (readonly [string, (mock: Mock) => Client, RegExp])[] = [
  [
    'sends its body byte by byte, too slowly',
    (mock) => {
      const client = call(mock, `Content-Length: ${CHAT.length}\r\n`);
      keepWriting(client, 'x', 20);
      return client;
    },
    /^HTTP\/1.1 408 /,
  ],
  [
    'sends its head byte by byte, too slowly',
    (mock) => {
      const client = call(mock, 'X-Slow: 1');
      keepWriting(client, 'x', 20);
      return client;
    },
    /^HTTP\/1.1 (?:408|400) /,
  ],
  [
    'sends a body without an end',
    (mock) => {
      const client = call(mock, 'Transfer-Encoding: chunked\r\n');
      keepWriting(client, `400\r\n${'x'.repeat(1024)}\r\n`, 1);
      return client;
    },
    /^HTTP\/1.1 413 /,
  ],
  [
    'breaks off its upload',
    (mock) => {
      const client = call(mock, `Content-Length: ${CHAT.length}\r\n`);
      client.socket.end(CHAT.slice(0, 40));
      return client;
    },
    /^(?:HTTP\/1.1 400 .*)?$/s,
  ],
];

test.each(CLIENTS)('cuts a client that %s, and leaves no reservation behind', async (_, start, received) => {
  const mock = await startMock({ world, control: true });
  const client = start(mock);
  await client.closed;
  expect(client.received.bytes).toMatch(received);
  expect(mock.ledger.entries()).toEqual([]);
  expect(mock.ledger.account('main')).toMatchObject({ debited: 0, held: 0 });
  const response = await fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.keys['primary']}`, 'content-type': 'application/json' },
    body: CHAT,
  });
  expect(response.status).toBe(200);
  expect(mock.ledger.invariants()).toEqual([]);
  await mock.close();
});
