import * as fc from 'fast-check';
import { moneyProperty } from './money-commands.ts';

const COMMANDS = 100;
const RUNS_AT_ONCE = 100;

const [operations = 500_000, seed = 1] = process.argv.slice(2).map(Number);
if (![operations, seed].every(Number.isSafeInteger))
  throw new Error('usage: soak:money -- [OPERATIONS] [SEED]');

/** Counts the steps of runs until so many were compared. Throws with a counterexample for the first difference. */
function soak(): { readonly done: number; readonly runs: number } {
  const count = { done: 0, runs: 0 };
  const property = moneyProperty(COMMANDS, () => (count.done += 1));
  while (count.done < operations) {
    fc.assert(property, { seed: seed + count.runs, numRuns: RUNS_AT_ONCE });
    count.runs += RUNS_AT_ONCE;
  }
  return count;
}

try {
  const { done, runs } = soak();
  process.stdout.write(
    `${done} operations in ${runs} runs from seed ${seed}: the ledger kept its books after every step\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
