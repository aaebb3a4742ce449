import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Mock, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { World } from '../world/world.ts';

const CONNECTIONS = 400;
const ON_EACH = 25;
const ALL = CONNECTIONS * ON_EACH;
const GRANTED = 100_000_000;

const world: World = {
  ...builtInWorld,
  workspaces: builtInWorld.workspaces.map((workspace) => ({ ...workspace, credits: GRANTED })),
  keys: builtInWorld.keys.map((key) => ({ ...key, concurrency: ALL })),
  limits: { ...builtInWorld.limits, history: ALL, drainMs: 100 },
};

const faults = [
  'connection_reset phase=before-authentication probability=0.001',
  'rate_limit probability=0.05',
  'gateway_failure phase=after-validation probability=0.05',
  'model_unavailable phase=after-reservation probability=0.05',
  'timeout phase=after-reservation ms=30 probability=0.05',
  'gateway_failure phase=after-reservation then=fails probability=0.05',
  'gateway_failure probability=0.1',
  'gateway_failure status=504 then=completes probability=0.05',
  'connection_closed probability=0.002',
  'timeout probability=0.002',
  'gateway_failure phase=after-debit probability=0.05',
  'connection_reset phase=before-headers probability=0.002',
  'body_cut bytes=30 probability=0.005',
  'pieces bytes=100 probability=0.02',
];

/** Every fifth request repeats the Idempotency-Key and the payload of another. */
function request(mock: Mock, index: number): string {
  const key = `key-${index % 5 === 4 ? index - 1 : index}`;
  const stream = index % 5 === 0;
  const body = JSON.stringify({
    model: 'compact-1',
    messages: [{ role: 'user', content: `Hello ${index % 7}` }],
    max_tokens: 8,
    ...(stream && { stream }),
  });
  const same = key === `key-${index}` ? body : body.replace(/Hello \d/, `Hello ${(index - 1) % 7}`);
  return [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: mock',
    `Authorization: Bearer ${mock.keys['primary']}`,
    `Idempotency-Key: ${key}`,
    `Content-Length: ${same.length}`,
    '',
    same,
  ].join('\r\n');
}

/** Sends many requests at once on one connection; the bytes received are in `received`, also after a cut. */
function pipeline(mock: Mock, first: number, received: string[]): Socket {
  const socket = connect(mock.port, '127.0.0.1').on('error', () => {});
  const mine = received.push('') - 1;
  socket.on('data', (bytes: Buffer) => (received[mine] += bytes.toString('latin1')));
  socket.write(Array.from({ length: ON_EACH }, (_, index) => request(mock, first + index)).join(''));
  return socket;
}

/** The credits of every whole completion that its caller got, by request ID. */
function charged(received: string): Map<string, number> {
  const answers = received.split(/(?=HTTP\/1\.1 \d{3} )/);
  return new Map(
    answers.flatMap((answer) => {
      const id = /\r\nx-request-id: (\S+)/.exec(answer)?.[1];
      const usage = /"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(answer);
      if (id === undefined || usage === null) return [];
      return [[id, Number(usage[1]) + Number(usage[2]) * 2]];
    }),
  );
}

test('loses and invents no credit in 10,000 concurrent requests with random faults', async () => {
  // No model ends early, so as many requests run at once as can.
  const mock = await startMock({ world, faults, latency: 3_600_000, seed: 7, control: true });
  const received: string[] = [];
  const { journal, service } = mock.sandboxes.root;
  const { ledger, delays } = service;
  const sockets = Array.from({ length: CONNECTIONS }, (_, index) =>
    pipeline(mock, index * ON_EACH, received),
  );
  const running = (): number => ledger.entries().filter(({ state }) => state === 'running').length;
  const runningAfterAll = (): number => {
    delays.flush();
    return running();
  };
  await expect.poll(() => journal?.came, { timeout: 30_000 }).toBeGreaterThan(ALL * 0.95);
  expect(running()).toBeGreaterThan(ALL / 4);
  expect(ledger.invariants()).toEqual([]);
  await expect.poll(runningAfterAll, { timeout: 30_000 }).toBe(0);
  await expect
    .poll(() => received.flatMap((bytes) => [...charged(bytes)]).length, { timeout: 30_000 })
    .toBeGreaterThan(500);
  for (const socket of sockets) socket.destroy();
  const unended = () => mock.sandboxes.root.journal?.entries({ ended: 'running' }).length;
  await expect.poll(unended, { timeout: 30_000 }).toBe(0);
  await expect.poll(runningAfterAll, { timeout: 30_000 }).toBe(0);
  expect(ledger.invariants()).toEqual([]);

  const debits = new Map(ledger.entries().map(({ requestId, debit }) => [requestId, debit]));
  const told = received.flatMap((bytes) => [...charged(bytes)]);
  expect(told.filter(([id, credits]) => debits.get(id) !== credits)).toEqual([]);

  const reviewed = ledger.entries().filter(({ state }) => state === 'under_review');
  expect(reviewed.length).toBeGreaterThan(100);
  for (const [index, { requestId }] of reviewed.entries())
    ledger.resolve(requestId, index % 2 === 0 ? 'completed' : 'failed');
  expect(ledger.invariants()).toEqual([]);
  const settled = ledger.entries();
  const debited = settled.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
  expect(ledger.account('main')).toEqual({
    workspace: 'main',
    granted: GRANTED,
    debited,
    held: 0,
    available: GRANTED - debited,
  });
  const paid = settled.flatMap(({ state, idempotencyKey }) =>
    state === 'succeeded' ? [idempotencyKey] : [],
  );
  expect(new Set(paid).size).toBe(paid.length);
  await mock.close();
});
