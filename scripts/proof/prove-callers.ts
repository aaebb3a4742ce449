import pMap, { pMapSkip } from 'p-map';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { SHORT_TIMEOUTS } from '../caller/scenario-setup.ts';
import { tryCaller } from '../caller/try-caller.ts';
import type { ProofCaller } from './callers/proof-caller.ts';

/** How the judge of callers fared with a caller whose faults are known. */
export interface CallerProof {
  readonly name: string;
  /** What it got wrong, in words; none when it blamed exactly what the caller breaks. */
  readonly surprises: readonly string[];
}

/** Callers tried at once: they mostly wait. */
const AT_ONCE = 12;

/** The first seed. Any would do: seeds only choose names and keys, and with each the timing differs. */
const FIRST_SEED = 7;

/** Lets the judge try these callers, with so many seeds. Once aborted, it only finishes those under way. */
export async function proveCallers(
  callers: readonly ProofCaller[],
  seeds: number,
  signal?: AbortSignal,
): Promise<readonly CallerProof[]> {
  const tries = Array.from({ length: seeds }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
    callers.map((caller) => ({ caller, seed })),
  );
  const tryNext = ({ caller, seed }: (typeof tries)[number]) =>
    signal?.aborted === true ? pMapSkip : proveCaller(caller, seed);
  return pMap(tries, tryNext, { concurrency: AT_ONCE });
}

async function proveCaller(
  { name, scenarios, start, clauses }: ProofCaller,
  seed: number,
): Promise<CallerProof> {
  const summary = await tryCaller({ name, scenarios, start, seed, timeouts: SHORT_TIMEOUTS });
  return { name: `${name}, seed ${seed}`, surprises: surprisesIn(summary, clauses) };
}

function surprisesIn(
  { outcome, checks, clauses, cutShort }: Summary,
  breaks: readonly ClauseId[],
): readonly string[] {
  const blamed = clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const missed = breaks.filter((id) => !blamed.includes(id));
  const wrong = blamed.filter((id) => !breaks.includes(id));
  const errors = checks.filter(({ verdict }) => verdict === 'error');
  const expected = breaks.length > 0 ? 'violations' : 'conformant';
  return [
    ...missed.map((id) => `no check blames ${id}`),
    ...wrong.map((id) => `${id} is blamed, which it keeps`),
    ...errors.map(({ id, reason }) => `${id}: ${reason}`),
    ...(outcome === expected ? [] : [`the run ended as ${outcome}: ${cutShort.join('; ')}`]),
  ];
}
