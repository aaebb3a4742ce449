import { expect, test } from 'vitest';
import { VirtualClock } from '../../time/clock.ts';
import type { Ledger } from '../../workspace/ledger.ts';
import { MemoryLedger } from '../../workspace/memory-ledger.ts';
import { builtInWorld } from '../../world/built-in-world.ts';
import { rewriteLedger } from './ledger-hooks.ts';

const REQUEST = { requestId: 'r-1', workspace: 'main', idempotencyKey: 'k-1', reserved: 50 };

/** Does everything once that a ledger can do, and gives what it then shows. */
function booked(ledger: Ledger): unknown {
  const entry = ledger.reserve(REQUEST);
  const lost = ledger.reserve({ ...REQUEST, requestId: 'r-2' });
  const failed = ledger.reserve({ ...REQUEST, requestId: 'r-3' });
  ledger.succeed(entry, 20, { inputTokens: 1, outputTokens: 2, finishReason: 'stop' });
  ledger.fail(failed);
  let resolution = '';
  ledger.review(lost, 10, (how) => (resolution = how));
  const resolved = ledger.resolve('r-2', 'completed');
  return {
    resolution,
    resolved,
    entries: ledger.entries(),
    history: ledger.history('r-2'),
    latest: ledger.latest(entry),
    found: ledger.find('r-1'),
    account: ledger.account('main'),
    invariants: ledger.invariants(),
  };
}

function emptyLedger(): Ledger {
  return new MemoryLedger(builtInWorld.workspaces, 10, new VirtualClock(builtInWorld.clock).now);
}

test('keeps the books as before, given nothing to rewrite', () => {
  const same = rewriteLedger(() => ({}))(emptyLedger());
  expect(booked(same)).toEqual(booked(emptyLedger()));
});

test('replaces the operations that it rewrites', () => {
  const failing = rewriteLedger((ledger) => ({ succeed: (entry) => ledger.fail(entry) }))(emptyLedger());
  expect(booked(failing)).toMatchObject({ found: { state: 'failed', debit: null } });
});
