import { statSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/** Smaller journals are read with what memory Node takes of its own accord, which is faster. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** V8 asks for both whenever it might let its heap grow, so that they may be set late. */
const GROW_SLOWLY = ['--semi-space-growth-factor=1', '--heap-growing-percent=30'];

/**
 * Call it before a journal is read. What is read of a large one is garbage soon, and V8 would rather take memory than
 * collect it: 370 MB in place of 200 for 40,000 exchanges.
 */
export function saveMemory(journal: string): void {
  const { size } = statSync(journal, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > LARGE_BYTES) for (const flag of GROW_SLOWLY) setFlagsFromString(flag);
}
