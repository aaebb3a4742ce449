import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { Summary } from '../../suites/kit/model/summary.ts';
import { SHORT_TIMEOUTS } from '../caller/timeouts.ts';
import type { ProofCaller } from './callers/proof-caller.ts';
import { tryCaller } from '../caller/try-caller.ts';

/** What the judge of callers said of a caller of which it is known what it breaks. */
export interface CallerProof {
  readonly kind: ProofCaller['kind'];
  readonly breaks: readonly ClauseId[];
  readonly blamed: readonly ClauseId[];
  /** What else was odd, in words; none where the judge said just what is known. */
  readonly odd: readonly string[];
}

/** How callers fared, by name. */
export type CallerProofs = Readonly<Record<string, CallerProof>>;

/** Callers that are tried at once: they wait more than they work. */
const AT_ONCE = 8;

/** Puts these callers before the judge. Once aborted, only those that are under way are finished. */
export async function proveCallers(
  callers: readonly ProofCaller[],
  seed: number,
  signal?: AbortSignal,
): Promise<CallerProofs> {
  const proofs = new Map<string, CallerProof>();
  const queue = callers[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const caller of queue) {
      if (signal?.aborted === true) return;
      proofs.set(caller.name, await proveCaller(caller, seed));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const inOrder = callers.flatMap(({ name }) => {
    const proof = proofs.get(name);
    return proof === undefined ? [] : [[name, proof] as const];
  });
  return Object.fromEntries(inOrder);
}

async function proveCaller(caller: ProofCaller, seed: number): Promise<CallerProof> {
  const { name, kind, scenarios, start, clauses: breaks } = caller;
  const summary = await tryCaller({ name, scenarios, start, seed, patience: SHORT_TIMEOUTS });
  const blamed = summary.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { kind, breaks, blamed, odd: oddIn(summary, breaks, blamed) };
}

function oddIn(
  { outcome, checks, cutShort }: Summary,
  breaks: readonly ClauseId[],
  blamed: readonly ClauseId[],
): readonly string[] {
  const missed = breaks.filter((id) => !blamed.includes(id)).map((id) => `nobody blames ${id}`);
  const wrong = blamed.filter((id) => !breaks.includes(id)).map((id) => `${id} is blamed, which it keeps`);
  const errors = checks
    .filter(({ verdict }) => verdict === 'error')
    .map(({ id, reason }) => `${id}: ${reason}`);
  const expected = breaks.length > 0 ? 'violations' : 'conformant';
  const ended = outcome === expected ? [] : [`it ends ${outcome}: ${cutShort.join('; ')}`];
  return [...missed, ...wrong, ...errors, ...ended];
}
