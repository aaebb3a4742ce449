import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":40}';
const STREAM = CHAT.replace('{', '{"stream":true,');

/** Everything received on a connection, one character a byte, and how it ended, if it did. */
interface Received {
  bytes: string;
  end: 'open' | 'FIN' | 'RST';
}

interface Line {
  readonly socket: Socket;
  readonly received: Received;
  readonly over: Promise<Received>;
}

function call(mock: Mock, ...requests: readonly string[]): Line {
  const socket = connect(mock.port, '127.0.0.1');
  const received: Received = { bytes: '', end: 'open' };
  socket.on('data', (bytes: Buffer) => (received.bytes += bytes.toString('latin1')));
  socket.on('end', () => (received.end = 'FIN'));
  socket.on('error', () => (received.end = 'RST'));
  const over = new Promise<Received>((resolve) => socket.on('close', () => resolve(received)));
  for (const request of requests) socket.write(request);
  return { socket, received, over };
}

function post(mock: Mock, body: string, headers = ''): string {
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer ${mock.keys['primary']}\r\n`;
  return `${head}${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

async function withMock(options: MockOptions, use: (mock: Mock) => Promise<void>): Promise<void> {
  const limits = { ...builtInWorld.limits, drainMs: 200 };
  const mock = await startMock({ world: { ...builtInWorld, limits }, ...options });
  try {
    await use(mock);
  } finally {
    await mock.close();
  }
}

interface Whole {
  readonly head: string;
  readonly body: string;
}

/** The answer to the same request without a fault: equal seeds, equal bytes. */
async function answerTo(body: string, headers = ''): Promise<Whole> {
  let whole = { head: '', body: '' };
  await withMock({}, async (mock) => {
    const { socket, received } = call(mock, post(mock, body, headers));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    socket.destroy();
    whole = split(received.bytes);
  });
  return whole;
}

function split(bytes: string): Whole {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  return end < 4 ? { head: bytes, body: '' } : { head: bytes.slice(0, end), body: bytes.slice(end) };
}

function isWhole(bytes: string): boolean {
  const { head, body } = split(bytes);
  return head.endsWith('\r\n\r\n') && body.length === Number(/content-length: (\d+)/.exec(head)?.[1]);
}

/** What one request gets until its connection ends. */
async function lineWith(body: string, fault: string): Promise<Received> {
  let received: Received = { bytes: '', end: 'open' };
  await withMock({ faults: [fault] }, async (mock) => {
    received = await call(mock, post(mock, body)).over;
    expect(mock.ledger.invariants()).toEqual([]);
  });
  return received;
}

test.each([
  'before-authentication',
  'after-validation',
  'after-reservation',
  'during-generation',
  'after-debit',
  'before-headers',
])('sends no byte and closes given connection_closed at %s', async (phase) => {
  expect(await lineWith(CHAT, `connection_closed phase=${phase}`)).toEqual({ bytes: '', end: 'FIN' });
});

test.each([
  'before-authentication',
  'after-validation',
  'after-reservation',
  'during-generation',
  'after-debit',
  'before-headers',
])('sends no byte and resets given connection_reset at %s', async (phase) => {
  expect(await lineWith(CHAT, `connection_reset phase=${phase}`)).toEqual({ bytes: '', end: 'RST' });
});

test.each([
  ['connection_closed', 'FIN'],
  ['connection_reset', 'RST'],
])('sends the head alone given %s inside the body', async (fault, end) => {
  const { head } = await answerTo(CHAT);
  expect(await lineWith(CHAT, `${fault} phase=inside-body`)).toEqual({ bytes: head, end });
});

test.each([0, 1, 7, 200])(
  'sends so many bytes of the body and closes given body_cut bytes=%i',
  async (bytes) => {
    const { head, body } = await answerTo(CHAT);
    expect(await lineWith(CHAT, `body_cut bytes=${bytes}`)).toEqual({
      bytes: head + body.slice(0, bytes),
      end: 'FIN',
    });
  },
);

test('sends the whole body and closes given a body_cut beyond its end', async () => {
  const { head, body } = await answerTo(CHAT);
  expect(await lineWith(CHAT, 'body_cut bytes=100000')).toEqual({ bytes: head + body, end: 'FIN' });
});

test.each([0, 1, 3])('sends so many whole events and closes given stream_cut events=%i', async (events) => {
  const { head, body } = await answerTo(STREAM);
  const sent = body
    .split('\n\n')
    .slice(0, events)
    .map((event) => `${event}\n\n`)
    .join('');
  expect(await lineWith(STREAM, `stream_cut events=${events}`)).toEqual({ bytes: head + sent, end: 'FIN' });
});

test('cuts a stream inside a character of many bytes', async () => {
  const { head, body } = await answerTo(STREAM);
  const inside = body.search(/[\u00c0-\u00ff]/) + 1;
  expect(inside).toBeGreaterThan(0);
  const { bytes } = await lineWith(STREAM, `body_cut bytes=${inside}`);
  expect(bytes).toBe(head + body.slice(0, inside));
  expect(Buffer.from(split(bytes).body, 'latin1').toString()).toMatch(/\ufffd$/);
});

test.each([0, 9])('stops after so many bytes and stays open given stall bytes=%i', async (bytes) => {
  const { head, body } = await answerTo(CHAT);
  await withMock({ faults: [`stall bytes=${bytes}`] }, async (mock) => {
    const { received, over } = call(mock, post(mock, CHAT));
    await expect.poll(() => received.bytes).toBe(head + body.slice(0, bytes));
    // A request on another connection is answered meanwhile: so much time has passed.
    expect((await fetch(`${mock.url}/models`)).status).toBe(401);
    expect(received).toEqual({ bytes: head + body.slice(0, bytes), end: 'open' });
    await mock.close();
    expect(await over).toEqual({ bytes: head + body.slice(0, bytes), end: 'FIN' });
  });
});

test('sends the rest after a stall that ends', async () => {
  const { head, body } = await answerTo(CHAT);
  await withMock({ faults: ['stall bytes=9 ms=20'] }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => received.bytes).toBe(head + body);
    socket.destroy();
  });
});

test.each(['pieces', 'pieces bytes=50 ms=1'])('sends the same bytes given %s', async (fault) => {
  const { head, body } = await answerTo(CHAT);
  await withMock({ faults: [fault] }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => received.bytes).toBe(head + body);
    // The connection serves another request as if nothing had been.
    socket.write(`GET /v1/none HTTP/1.1\r\nHost: mock\r\n\r\n`);
    await expect.poll(() => received.bytes.slice(head.length + body.length)).toMatch(/^HTTP\/1.1 404 /);
    socket.destroy();
  });
});

test.each([1, -1, 500, -100_000])(
  'declares another length and closes given wrong_content_length difference=%i',
  async (difference) => {
    const { head, body } = await answerTo(CHAT);
    const declared = Math.max(0, body.length + difference);
    const { bytes, end } = await lineWith(CHAT, `wrong_content_length difference=${difference}`);
    expect(bytes).toBe(head.replace(/content-length: \d+/, `content-length: ${declared}`) + body);
    expect(end).toBe('FIN');
  },
);

test.each([
  ['gateway_failure', 502, 'text/html', /^<!DOCTYPE html>\n.*502 Bad Gateway.*<\/html>\n$/s],
  ['gateway_failure status=503 body=text', 503, 'text/plain', /^503 Service Unavailable: [^<>{}]+\n$/],
  ['gateway_failure status=504 body=html', 504, 'text/html', /^<!DOCTYPE html>\n.*504 Gateway Timeout/s],
])('answers with a page of a gateway given %s', async (fault, status, type, page) => {
  await withMock({ faults: [fault] }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    const { head, body } = split(received.bytes);
    expect(head.split('\r\n').slice(0, -2)).toEqual([
      expect.stringMatching(`^HTTP/1.1 ${status} `),
      'date: Thu, 01 Jan 2026 00:00:00 GMT',
      'server: gateway',
      `content-type: ${type}`,
      `content-length: ${body.length}`,
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
    ]);
    expect(body).toMatch(page);
    expect(() => void JSON.parse(body)).toThrow(SyntaxError);
    socket.destroy();
  });
});

test('answers with an empty body of no type given gateway_failure body=empty', async () => {
  await withMock({ faults: ['gateway_failure body=empty'] }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    expect(received.bytes).toMatch(/^HTTP\/1.1 502 .*\r\ncontent-length: 0\r\n.*\r\n\r\n$/s);
    expect(received.bytes).not.toContain('content-type');
    socket.destroy();
  });
});

test('sends no byte and stays open given a timeout, until the mock closes', async () => {
  await withMock({ faults: ['timeout'] }, async (mock) => {
    const { received, over } = call(mock, post(mock, CHAT));
    await expect.poll(() => mock.ledger.entries()[0]?.state).toBe('under_review');
    expect(received).toEqual({ bytes: '', end: 'open' });
    await mock.close();
    expect(await over).toEqual({ bytes: '', end: 'FIN' });
  });
});

test.each([
  'before-authentication',
  'after-validation',
  'after-reservation',
  'after-debit',
  'before-headers',
])('sends the same bytes late given timeout ms=20 at %s', async (phase) => {
  const { head, body } = await answerTo(CHAT);
  await withMock({ faults: [`timeout ms=20 phase=${phase}`] }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => received.bytes).toBe(head + body);
    expect(mock.ledger.entries()).toMatchObject([{ state: 'succeeded' }]);
    socket.destroy();
  });
});

test('refuses late what it would refuse, given a timeout before authentication', async () => {
  await withMock({ faults: ['timeout ms=20 phase=before-authentication'] }, async (mock) => {
    expect((await fetch(`${mock.url}/models`)).status).toBe(401);
  });
});

test.each([
  ['connection_closed phase=after-debit', ''],
  ['body_cut bytes=5', 'a head and five bytes'],
])('lets the answers before it on a connection out first, given %s', async (fault, rest) => {
  const slow = CHAT.replace('compact-1', 'steady-1');
  const first = await answerTo(slow);
  const second = await answerTo(CHAT);
  await withMock({ faults: [`${fault} model=compact-1`] }, async (mock) => {
    const { over } = call(mock, post(mock, slow), post(mock, CHAT));
    const cut = rest === '' ? '' : second.head + second.body.slice(0, 5);
    expect(await over).toEqual({ bytes: first.head + first.body + cut, end: 'FIN' });
    expect(mock.ledger.entries()).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
  });
});

test('answers others between two pieces that follow each other at once', async () => {
  await withMock({ faults: ['pieces model=compact-1'] }, async (mock) => {
    const ended: string[] = [];
    const stream = call(mock, post(mock, STREAM));
    await once(stream.socket, 'data');
    stream.socket.on('data', () => isWhole(stream.received.bytes) && ended.push('stream'));
    const other = call(mock, post(mock, CHAT.replace('compact-1', 'standard-1')));
    other.socket.once('data', () => ended.push('other'));
    await expect.poll(() => ended).toEqual(['other', 'stream']);
    stream.socket.destroy();
    other.socket.destroy();
  });
});

test('counts the bytes of each answer on a connection separately', async () => {
  await withMock({ control: true, faults: ['body_cut bytes=5 model=standard-1'] }, async (mock) => {
    const slow = CHAT.replace('compact-1', 'steady-1');
    const last = CHAT.replace('compact-1', 'standard-1');
    const { received, over } = call(mock, post(mock, slow), post(mock, STREAM), post(mock, last));
    await over;
    const entries = mock.sandboxes.root.journal?.entries() ?? [];
    expect(entries.map(({ ended }) => ended)).toEqual(['answered', 'answered', 'cut']);
    const third = received.bytes.lastIndexOf('HTTP/1.1 200');
    const second = received.bytes.lastIndexOf('HTTP/1.1 200', third - 1);
    expect(entries.map(({ bytesWritten }) => bytesWritten)).toEqual([
      second,
      third - second,
      received.bytes.length - third,
    ]);
  });
});

test.each([
  'pieces ms=2',
  'stall ms=30',
  'stall',
  'timeout',
  'timeout ms=30',
  'gateway_failure then=completes',
])('goes on after a client that leaves in the middle, given %s', async (fault) => {
  await withMock({ latency: 5, control: true, faults: [`${fault} nth=1`] }, async (mock) => {
    const { socket } = call(mock, post(mock, STREAM));
    await expect.poll(() => mock.ledger.entries()).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => mock.sandboxes.root.journal?.entries()[0]?.ended).not.toBeNull();
    await expect.poll(() => mock.ledger.entries()[0]?.state).toMatch(/^(?:succeeded|under_review)$/);
    const { socket: other, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    other.destroy();
    expect(mock.ledger.invariants()).toEqual([]);
  });
});

test('meets no second fault once the answer is lost', async () => {
  const faults = [
    'gateway_failure phase=after-reservation then=completes',
    'connection_reset phase=after-debit',
  ];
  await withMock({ faults }, async (mock) => {
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    expect(mock.ledger.entries()).toMatchObject([{ state: 'succeeded' }]);
    expect(mock.sandboxes.root.service.faults.unfired().map(({ id }) => id)).toEqual(['rule_2']);
    socket.destroy();
  });
});

test('serves others while many connections get no answer', async () => {
  const world = {
    ...builtInWorld,
    keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: 500 })),
  };
  await withMock({ world, faults: ['timeout key=primary times=300'] }, async (mock) => {
    const lines = Array.from({ length: 300 }, () => call(mock, post(mock, CHAT)));
    await expect.poll(() => mock.ledger.entries().length).toBe(300);
    const { socket, received } = call(mock, post(mock, CHAT));
    await expect.poll(() => isWhole(received.bytes)).toBe(true);
    for (const line of lines) line.socket.destroy();
    socket.destroy();
    expect(new Set(lines.map((line) => line.received.bytes))).toEqual(new Set(['']));
    expect(mock.ledger.entries().filter(({ state }) => state === 'under_review')).toHaveLength(300);
    expect(mock.ledger.invariants()).toEqual([]);
  });
});

test.each(['pieces bytes=300 ms=30', 'split_characters ms=30', 'bandwidth bytes_per_second=5000'])(
  'has answered whole once the last piece has left, though its caller goes at once: %s',
  async (fault) => {
    const { head, body } = await answerTo(CHAT);
    await withMock({ faults: [fault], control: true }, async (mock) => {
      const { socket } = call(mock, post(mock, CHAT));
      let missing = head.length + body.length;
      socket.on('data', (bytes: Buffer) => {
        missing -= bytes.length;
        if (missing <= 0) socket.destroy();
      });
      await expect
        .poll(() => mock.sandboxes.root.journal?.entries())
        .toMatchObject([{ ended: 'answered', bytesWritten: head.length + body.length }]);
    });
  },
);
