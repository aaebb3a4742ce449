import pMap, { pMapSkip } from 'p-map';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { RunOutcome, Summary, Verdict } from '../../suites/kit/model/summary.ts';
import { SHORT_TIMEOUTS } from '../caller/scenario-setup.ts';
import { tryCaller } from '../caller/try-caller.ts';
import { noteLine } from '../cli/terminal/output.ts';
import type { ProofCaller } from './callers/proof-caller.ts';

/** How the judge of callers fared with a caller whose faults are known. */
export interface CallerProof {
  readonly name: string;
  /** What it got wrong, in words; none when it blamed exactly what the caller breaks. */
  readonly surprises: readonly string[];
}

/** Callers tried at once: they wait for nearly all of their time. */
const AT_ONCE = 56;

/** The first seed. Any would do: seeds only choose names and keys, and with each the timing differs. */
const FIRST_SEED = 7;

/**
 * Lets the judge try these callers, with so many seeds, and those that surprise it once more by themselves: a busy
 * machine disturbs their timing. Once aborted, it only finishes those under way.
 */
export async function proveCallers(
  callers: readonly ProofCaller[],
  seeds: number,
  signal?: AbortSignal,
): Promise<readonly CallerProof[]> {
  const tries = Array.from({ length: seeds }, (_, index) => FIRST_SEED + index).flatMap((seed) =>
    callers.map((caller): Try => ({ caller, seed })),
  );
  const proveAll = (these: readonly Try[], concurrency: number) =>
    pMap(these, (each) => (signal?.aborted === true ? pMapSkip : proveCaller(each)), { concurrency });
  const proofs = await proveAll(tries, AT_ONCE);
  if (signal?.aborted === true) return proofs;
  const doubtful = new Set(proofs.filter(({ surprises }) => surprises.length > 0).map(({ name }) => name));
  for (const name of doubtful) noteLine(`Once more, alone: ${name}`);
  const alone = await proveAll(
    tries.filter((each) => doubtful.has(nameOf(each))),
    1,
  );
  return [...proofs.filter(({ name }) => !doubtful.has(name)), ...alone];
}

/** One caller with one seed. */
interface Try {
  readonly caller: ProofCaller;
  readonly seed: number;
}

const nameOf = ({ caller: { name }, seed }: Try): string => `${name}, seed ${seed}`;

async function proveCaller(each: Try): Promise<CallerProof> {
  const { name, scenarios, start } = each.caller;
  const summary = await tryCaller({ name, scenarios, start, seed: each.seed, timeouts: SHORT_TIMEOUTS });
  return { name: nameOf(each), surprises: surprisesIn(summary, each.caller) };
}

const EXPECTED: Readonly<Record<ProofCaller['kind'], RunOutcome>> = {
  'broken-caller': 'violations',
  'doubtful-caller': 'incomplete',
  'faithful-caller': 'conformant',
};

function surprisesIn(
  { outcome, checks, clauses, cutShort }: Summary,
  { kind, clauses: breaks }: ProofCaller,
): readonly string[] {
  const ofVerdict = (word: Verdict): readonly ClauseId[] =>
    checks.flatMap((check) => (check.verdict === word ? check.clauses : []));
  const blamed = clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const found = kind === 'doubtful-caller' ? ofVerdict('inconclusive') : blamed;
  const missed = breaks.filter((id) => !found.includes(id));
  const wrong = blamed.filter((id) => !breaks.includes(id));
  const errors = checks.filter(({ verdict }) => verdict === 'error');
  return [
    ...missed.map((id) => `no check ${kind === 'doubtful-caller' ? 'doubts' : 'blames'} ${id}`),
    ...wrong.map((id) => `${id} is blamed, which it keeps`),
    ...errors.map(({ id, reason }) => `${id}: ${reason}`),
    ...(outcome === EXPECTED[kind] ? [] : [`the run ended as ${outcome}: ${cutShort.join('; ')}`]),
  ];
}
