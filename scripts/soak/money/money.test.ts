import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Service } from '../../../mock-server/sandboxes/service.ts';
import type { Resolution } from '../../../mock-server/workspace/ledger.ts';
import { MemoryLedger } from '../../../mock-server/workspace/memory-ledger.ts';
import { type HeldCall, CLIENTS, openService, type Sent, sendTo, workspaceOf } from './held-service.ts';
import { moneyProperty, RESOLUTIONS, SENTS } from './money-commands.ts';

const CREDITS = 120;

test('keeps its books through any interleaving of clients, faults, repeats, aborts, clock moves and resolutions', () => {
  expect(() => fc.assert(moneyProperty(60), { seed: 1, numRuns: 150 })).not.toThrow();
});

test('notices a completion that is not debited', () => {
  vi.spyOn(MemoryLedger.prototype, 'succeed').mockImplementation(function free(this: MemoryLedger, entry) {
    this.fail(entry);
  });
  try {
    expect(() => fc.assert(moneyProperty(60), { seed: 1, numRuns: 20 })).toThrow('Counterexample');
  } finally {
    vi.restoreAllMocks();
  }
});

/** Nothing is foretold where the order is drawn: only what must hold in any. */
type Scheduled = fc.AsyncCommand<{ calls: HeldCall[] }, Service>;

const sendingSoon = (sent: Sent): Scheduled => ({
  check: () => true,
  run: async ({ calls }, service) => {
    calls.push(sendTo(service, sent));
    expect(service.ledger.invariants()).toEqual([]);
  },
  toString: () => `send(${JSON.stringify(sent)})`,
});

const resolvingSoon = (pick: number, resolution: Resolution): Scheduled => ({
  check: ({ calls }) => calls.length > 0,
  run: async ({ calls }, service) => {
    service.ledger.resolve(calls[pick % calls.length]?.requestId ?? '', resolution);
    expect(service.ledger.invariants()).toEqual([]);
  },
  toString: () => `resolve(${pick}, ${resolution})`,
});

async function runScheduled(scheduler: fc.Scheduler, chosen: Iterable<Scheduled>): Promise<void> {
  const calls: HeldCall[] = [];
  const service = openService(
    CREDITS,
    (release) => void scheduler.schedule(Promise.resolve(), 'wait').then(release),
  );
  await fc.scheduledModelRun(scheduler, () => ({ model: { calls }, real: service }), chosen);
  await scheduler.waitIdle();
  expect(calls.filter(({ outcome }) => outcome === undefined)).toEqual([]);
  const { ledger } = service;
  for (const { requestId } of calls) ledger.resolve(requestId, 'completed');
  for (const workspace of new Set(CLIENTS.map(workspaceOf))) {
    const entries = ledger.entries().filter((entry) => entry.workspace === workspace);
    const debited = entries.reduce((sum, { debit }) => sum + (debit ?? 0), 0);
    expect(ledger.account(workspace)).toMatchObject({ debited, held: 0 });
  }
  expect(ledger.invariants()).toEqual([]);
  const paid = ledger
    .entries()
    .filter(({ state, idempotencyKey }) => state === 'succeeded' && idempotencyKey !== null)
    .map(({ workspace, idempotencyKey }) => `${workspace} ${idempotencyKey}`);
  expect(new Set(paid).size).toBe(paid.length);
}

test('keeps its books under any schedule of concurrent requests, faults, repeats and resolutions', async () => {
  const commands = fc.commands(
    [
      SENTS.map(sendingSoon),
      fc.tuple(fc.nat(20), RESOLUTIONS).map(([pick, resolution]) => resolvingSoon(pick, resolution)),
    ],
    { maxCommands: 30 },
  );
  const property = fc.asyncProperty(fc.scheduler(), commands, runScheduled);
  await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
});
