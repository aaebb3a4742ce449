import { once } from 'node:events';
import { expect, test } from 'vitest';
import { PHASES as ALL_PHASES } from '../rules/phases.ts';
import type { Mock } from '../start-mock.ts';
import { openMock } from '../test-support/open-mock.ts';
import { dial, isWhole, post, type Received, split, type Whole } from '../test-support/wire.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":40}';
const STREAM = CHAT.replace('{', '{"stream":true,');

/** The answer to the same request without a fault: equal seeds, equal bytes. */
async function answerTo(body: string): Promise<Whole> {
  return whole(await openMock(), body);
}

async function whole(mock: Mock, body = CHAT): Promise<Whole> {
  const { received } = dial(mock, post(mock, body));
  await expect.poll(() => isWhole(received.bytes)).toBe(true);
  return split(received.bytes);
}

/** What one request gets until its connection ends. */
async function lineWith(body: string, fault: string): Promise<Received> {
  const mock = await openMock({ faults: [fault] });
  return dial(mock, post(mock, body)).over;
}

const PHASES = ALL_PHASES.filter((phase) => phase !== 'inside-body');

test.each([
  ['connection_closed', 'FIN'],
  ['connection_reset', 'RST'],
])('%s sends no byte, or the head alone inside the body, and then %s', async (fault, end) => {
  for (const phase of PHASES)
    expect(await lineWith(CHAT, `${fault} phase=${phase}`)).toEqual({ bytes: '', end });
  const { head } = await answerTo(CHAT);
  expect(await lineWith(CHAT, `${fault} phase=inside-body`)).toEqual({ bytes: head, end });
});

test.each([0, 1, 7, 200, 100_000])(
  'sends so many bytes of the body and closes given body_cut bytes=%i',
  async (bytes) => {
    const { head, body } = await answerTo(CHAT);
    const sent = head + body.slice(0, bytes);
    expect(await lineWith(CHAT, `body_cut bytes=${bytes}`)).toEqual({ bytes: sent, end: 'FIN' });
  },
);

test.each([0, 1, 3])('sends so many whole events and closes given stream_cut events=%i', async (events) => {
  const { head, body } = await answerTo(STREAM);
  const sent = body
    .split('\n\n')
    .slice(0, events)
    .map((event) => `${event}\n\n`)
    .join('');
  expect(await lineWith(STREAM, `stream_cut events=${events}`)).toEqual({ bytes: head + sent, end: 'FIN' });
});

test.each([0, 9])('stops after so many bytes and stays open given stall bytes=%i', async (bytes) => {
  const { head, body } = await answerTo(CHAT);
  const mock = await openMock({ faults: [`stall bytes=${bytes}`] });
  const { received, over } = dial(mock, post(mock, CHAT));
  await expect.poll(() => received.bytes).toBe(head + body.slice(0, bytes));
  // A request on another connection is answered meanwhile: so much time has passed.
  expect((await fetch(`${mock.url}/models`)).status).toBe(401);
  expect(received).toEqual({ bytes: head + body.slice(0, bytes), end: 'open' });
  await mock.close();
  expect(await over).toEqual({ bytes: head + body.slice(0, bytes), end: 'FIN' });
});

const LATE = PHASES.filter((phase) => phase !== 'during-generation');

test.each([
  'stall bytes=9 ms=20',
  'pieces',
  'pieces bytes=50 ms=1',
  ...LATE.map((phase) => `timeout ms=20 phase=${phase}`),
])('sends the same bytes, and serves another request as if nothing had been, given %s', async (fault) => {
  const { head, body } = await answerTo(CHAT);
  const mock = await openMock({ faults: [`${fault} times=1`] });
  const { socket, received } = dial(mock, post(mock, CHAT));
  await expect.poll(() => received.bytes).toBe(head + body);
  expect(mock.workspace.entries()).toMatchObject([{ state: 'succeeded' }]);
  socket.write(`GET /v1/none HTTP/1.1\r\nHost: mock\r\n\r\n`);
  await expect.poll(() => received.bytes.slice(head.length + body.length)).toMatch(/^HTTP\/1.1 404 /);
});

test.each([0, 10, 100_000])(
  'declares another length and closes given wrong_header header=content-length value=%i',
  async (declared) => {
    const { head, body } = await answerTo(CHAT);
    const { bytes, end } = await lineWith(CHAT, `wrong_header header=content-length value=${declared}`);
    expect(bytes).toBe(head.replace(/content-length: \d+/, `content-length: ${declared}`) + body);
    expect(end).toBe('FIN');
  },
);

test.each([
  ['connection_closed phase=after-debit', ''],
  ['body_cut bytes=5', 'a head and five bytes'],
])('lets the answers before it on a connection out first, given %s', async (fault, rest) => {
  const slow = CHAT.replace('compact-1', 'steady-1');
  const first = await answerTo(slow);
  const second = await answerTo(CHAT);
  const mock = await openMock({ faults: [`${fault} model=compact-1`] });
  const { over } = dial(mock, post(mock, slow), post(mock, CHAT));
  const cut = rest === '' ? '' : second.head + second.body.slice(0, 5);
  expect(await over).toEqual({ bytes: first.head + first.body + cut, end: 'FIN' });
  expect(mock.workspace.entries()).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
});

test('answers others between two pieces that follow each other at once', async () => {
  const mock = await openMock({ faults: ['pieces model=compact-1'] });
  const ended: string[] = [];
  const stream = dial(mock, post(mock, STREAM));
  await once(stream.socket, 'data');
  stream.socket.on('data', () => isWhole(stream.received.bytes) && ended.push('stream'));
  const other = dial(mock, post(mock, CHAT.replace('compact-1', 'standard-1')));
  other.socket.once('data', () => ended.push('other'));
  await expect.poll(() => ended).toEqual(['other', 'stream']);
});

test('counts the bytes of each answer on a connection separately', async () => {
  const mock = await openMock({ control: true, faults: ['body_cut bytes=5 model=standard-1'] });
  const slow = CHAT.replace('compact-1', 'steady-1');
  const last = CHAT.replace('compact-1', 'standard-1');
  const { received, over } = dial(mock, post(mock, slow), post(mock, STREAM), post(mock, last));
  await over;
  const entries = mock.sandboxes.root.journal?.entries() ?? [];
  expect(entries.map(({ ended }) => ended)).toEqual(['answered', 'answered', 'cut']);
  const third = received.bytes.lastIndexOf('HTTP/1.1 200');
  const second = received.bytes.lastIndexOf('HTTP/1.1 200', third - 1);
  const rest = received.bytes.length - third;
  expect(entries.map(({ bytesWritten }) => bytesWritten)).toEqual([second, third - second, rest]);
});

test.each([
  'pieces ms=2',
  'stall ms=30',
  'stall',
  'timeout',
  'timeout ms=30',
  'gateway_failure then=completes',
])('goes on after a client that leaves in the middle, given %s', async (fault) => {
  const mock = await openMock({ latency: 5, control: true, faults: [`${fault} nth=1`] });
  const { socket } = dial(mock, post(mock, STREAM));
  await expect.poll(() => mock.workspace.entries()).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => mock.sandboxes.root.journal?.entries()[0]?.ended).not.toBeNull();
  await expect.poll(() => mock.workspace.entries()[0]?.state).toMatch(/^(?:succeeded|under_review)$/);
  await whole(mock);
});

test('meets no second fault once the answer is lost', async () => {
  const lost = 'gateway_failure phase=after-reservation then=completes';
  const mock = await openMock({ faults: [lost, 'connection_reset phase=after-debit'] });
  await whole(mock);
  expect(mock.workspace.entries()).toMatchObject([{ state: 'succeeded' }]);
  expect(mock.sandboxes.root.service.faults.unfired().map(({ id }) => id)).toEqual(['rule_2']);
});

test.each(['pieces bytes=300 ms=30', 'pieces bytes=100 ms=20'])(
  'has answered whole once the last piece has left, though its caller goes at once: %s',
  async (fault) => {
    const { head, body } = await answerTo(CHAT);
    const mock = await openMock({ faults: [fault], control: true });
    const { socket } = dial(mock, post(mock, CHAT));
    let missing = head.length + body.length;
    socket.on('data', (bytes: Buffer) => {
      missing -= bytes.length;
      if (missing <= 0) socket.destroy();
    });
    await expect
      .poll(() => mock.sandboxes.root.journal?.entries())
      .toMatchObject([{ ended: 'answered', bytesWritten: head.length + body.length }]);
  },
);
