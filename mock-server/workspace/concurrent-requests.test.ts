import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { openMock, poorWorld } from '../test-support/open-mock.ts';
import { dial, post } from '../test-support/wire.ts';
import { completeWorld } from '../world/check-world.ts';

const CONNECTIONS = 100;
const ON_EACH = 25;
const ALL = CONNECTIONS * ON_EACH;
const GRANTED = 100_000_000;

const world = completeWorld({ limits: { history: ALL, drainMs: 100 } }, poorWorld(GRANTED, ALL));

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
  return post(mock, same, `Idempotency-Key: ${key}`);
}

/** Sends many requests at once on one connection. */
function pipeline(mock: Mock, first: number) {
  return dial(mock, Array.from({ length: ON_EACH }, (_, index) => request(mock, first + index)).join(''));
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

test('loses and invents no credit in thousands of concurrent requests with random faults', async () => {
  // No model ends early, so as many requests run at once as can.
  const mock = await openMock({ world, faults, latency: 3_600_000, seed: 7, control: true });
  const { journal, service } = mock.sandboxes.root;
  const { ledger, delays } = service;
  const lines = Array.from({ length: CONNECTIONS }, (_, index) => pipeline(mock, index * ON_EACH));
  const told = (): readonly [string, number][] =>
    lines.flatMap(({ received }) => [...charged(received.bytes)]);
  const running = (): number => ledger.entries().filter(({ state }) => state === 'running').length;
  const runningAfterAll = (): number => {
    delays.flush();
    return running();
  };
  await expect.poll(() => journal?.came, { timeout: 30_000 }).toBeGreaterThan(ALL * 0.95);
  expect(running()).toBeGreaterThan(ALL / 4);
  expect(ledger.invariants()).toEqual([]);
  await expect.poll(runningAfterAll, { timeout: 30_000 }).toBe(0);
  await expect.poll(() => told().length, { timeout: 30_000 }).toBeGreaterThan(125);
  for (const { socket } of lines) socket.destroy();
  const unended = () => mock.sandboxes.root.journal?.entries({ ended: null }).length;
  await expect.poll(unended, { timeout: 30_000 }).toBe(0);
  await expect.poll(runningAfterAll, { timeout: 30_000 }).toBe(0);
  expect(ledger.invariants()).toEqual([]);

  const debits = new Map(ledger.entries().map(({ requestId, debit }) => [requestId, debit]));
  expect(told().filter(([id, credits]) => debits.get(id) !== credits)).toEqual([]);

  const reviewed = ledger.entries().filter(({ state }) => state === 'under_review');
  expect(reviewed.length).toBeGreaterThan(25);
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
});
