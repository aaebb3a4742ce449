import { setTimeout as wait } from 'node:timers/promises';

/** Waits so many milliseconds, or until the signal: nobody waits for a turn that will not come. */
export async function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (forMs <= 0) return;
  await wait(forMs, undefined, { ...(signal !== undefined && { signal }) }).catch(() => {});
}
