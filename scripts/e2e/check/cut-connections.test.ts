import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { listening } from '../../../suites/engine/test-support/service.ts';
import { journalledRun, shortRun, targetOf } from '../support/journalled-run.ts';

/** Where a connection is cut: after so many bytes of the request, or of its answer. */
interface Cut {
  readonly side: 'request' | 'answer';
  readonly after: number;
}

/** Before anything is read, within the headers and the body, and after it; and the same for an answer. */
const CUTS: readonly Cut[] = [
  ...[0, 120, 420, 2000].map((after) => ({ side: 'request' as const, after })),
  ...[0, 60, 400, 900].map((after) => ({ side: 'answer' as const, after })),
];

/** Passes bytes on until it is time to cut. */
function pump(from: Socket, to: Socket, budget: number, cut: () => void): void {
  let left = budget;
  from.on('data', (chunk: Buffer) => {
    to.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) cut();
  });
}

/**
 * Stands before a service and cuts every other connection at one point; what is cut at 0 bytes is never read. `keys`: the
 * Idempotency-Key of every request of which at least the headers came.
 */
async function startCuttingProxy(port: number, { side, after }: Cut) {
  const keys: string[] = [];
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    // The first connection carries the preflight.
    const isCut = connections % 2 === 0;
    const far = connect(port, '127.0.0.1');
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    near.on('error', cut).on('close', () => far.end());
    far.on('error', cut).on('close', () => near.end());
    near.on('data', (chunk: Buffer) => keys.push(...keysIn(chunk)));
    if (isCut && after === 0) return cut();
    pump(near, far, isCut && side === 'request' ? after : Infinity, cut);
    pump(far, near, isCut && side === 'answer' ? after : Infinity, cut);
  });
  return { baseUrl: `${await listening(server)}/v1`, keys };
}

function keysIn(chunk: Buffer): string[] {
  return [...chunk.toString('latin1').matchAll(/^idempotency-key: (.+)\r$/gim)].map(([, key]) => key ?? '');
}

const checks = CHECKS.filter(({ clauses }) => clauses.includes('REQ-6') || clauses.includes('RES-1'));

test.each(CUTS)('sends no key twice given connections cut after $after bytes of the $side', async (cut) => {
  const mock = await openMock({ seed: 2 });
  const { baseUrl, keys } = await startCuttingProxy(mock.port, cut);
  const caps = { requests: 60, completions: 30, outputTokens: 16 };
  const target = targetOf(mock, { kind: 'live', baseUrl });
  const run = await journalledRun(shortRun(target, { checks, concurrency: 2, runs: 'few', caps }));
  const { summary, recording } = run;
  expect(keys.length).toBeGreaterThan(10);
  expect(new Set(keys).size).toBe(keys.length);
  const uncertain = recording.record.filter(({ outcome }) => outcome.kind === 'uncertain');
  expect(summary.uncertain.map(({ id }) => id)).toEqual(uncertain.map(({ id }) => id));
  // Every request has an ID of its own, so one that was sent again would be in the record twice.
  expect(new Set(recording.record.map(({ id }) => id)).size).toBe(recording.record.length);
  expect(uncertain.length).toBeGreaterThan(0);
});
