import { expect, test } from 'vitest';
import { deploymentForTest } from '../test-support/deployment.ts';
import { pollUntil, stableBalance } from './read-workspace.ts';

test('reads until the value is wanted', async () => {
  let reads = 0;
  const read = async (): Promise<number> => ++reads;
  expect(await pollUntil(read, (value) => value === 3, 60_000)).toBe(3);
  expect(reads).toBe(3);
});

test('returns the last value after the patience', async () => {
  let reads = 0;
  const read = async (): Promise<number> => ++reads;
  expect(await pollUntil(read, () => false, 0)).toBe(1);
});

test('rejects a balance that never rests', async () => {
  let available = 1000;
  const { deployment } = deploymentForTest({ balance: async () => ({ available: available--, held: 0 }) });
  await expect(stableBalance(deployment)).rejects.toMatchObject({
    ruling: { kind: 'inconclusive', reason: expect.stringContaining('the balance kept changing') },
  });
});
