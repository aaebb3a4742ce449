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
const AT_ONCE = 8;

/** Lets the judge try these callers, and returns them in the order in which they ended. Once aborted, it only finishes those under way. */
export async function proveCallers(
  callers: readonly ProofCaller[],
  seed: number,
  signal?: AbortSignal,
): Promise<readonly CallerProof[]> {
  const proofs: CallerProof[] = [];
  const queue = callers.values();
  const worker = async (): Promise<void> => {
    for (const caller of queue) {
      if (signal?.aborted === true) return;
      proofs.push(await proveCaller(caller, seed));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return proofs;
}

async function proveCaller(caller: ProofCaller, seed: number): Promise<CallerProof> {
  const { name, scenarios, start, clauses } = caller;
  const summary = await tryCaller({ name, scenarios, start, seed, timeouts: SHORT_TIMEOUTS });
  return { name, surprises: surprisesIn(summary, clauses) };
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
