import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const DELAYS = new URL('../../../mock-server/time/delays.ts', import.meta.url);

/** A process in which nothing else happens for a while: it exits with 1 if only the end of that wakes it. */
const IDLE = `
  import { Delays } from ${JSON.stringify(DELAYS)};
  setTimeout(() => process.exit(1), 3000);
  new Delays((error) => { throw error; }).afterArrivals(1, () => process.exit(0));
`;

test('ends a wait in a process that nothing else wakes', () => {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', IDLE]);
  expect(status).toBe(0);
});
