import { setTimeout as wait } from 'node:timers/promises';

const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** Reads again and again, ever more slowly, until what was read is as wanted; after `patienceMs` the last reading. */
export async function pollUntil<Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  patienceMs: number,
): Promise<Value> {
  const until = performance.now() + patienceMs;
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const value = await read();
    if (isWanted(value) || performance.now() + pause > until) return value;
    await wait(pause);
  }
}
