import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import type { Spent, Summary } from '../../suites/kit/model/summary.ts';
import type { RunOutcome, Verdict } from '../../suites/kit/model/verdict.ts';
import { FailureWatch } from './failure-watch.ts';
import type { ProvedWorld, Standing } from './proved-world.ts';
import { type Size, SIZED } from './size.ts';

/** What one check had to say, other than that all is well. */
export interface Complaint {
  readonly check: string;
  readonly clauses: readonly ClauseId[];
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly reason: string;
  /** After how many exchanges it failed first; absent: it did not fail. */
  readonly after?: number;
}

/** What became of one run against one world. */
export interface ProofRun {
  readonly world: string;
  readonly kind: ProvedWorld['kind'];
  readonly size: Size;
  readonly seed: number;
  /** `refused`: the run ended in the preflight, with a message for people. */
  readonly outcome: RunOutcome | 'refused';
  /** The message of a run that was refused; why one was cut short. */
  readonly said: readonly string[];
  /** The clauses that the run passes. */
  readonly kept: readonly ClauseId[];
  readonly complaints: readonly Complaint[];
  readonly spent: Spent;
  readonly durationMs: number;
}

export interface ProofRequest {
  readonly world: ProvedWorld;
  readonly size: Size;
  readonly seed: number;
  readonly timeoutMs: number;
}

const NOTHING: Spent = { requests: 0, completions: 0, outputTokens: 0, uncertain: 0 };

/** Starts a world, checks it, and closes it. Rejects only for a failure of ours. */
export async function proveWorld(request: ProofRequest): Promise<ProofRun> {
  const { world, size, seed } = request;
  const { name, kind } = world;
  const startedAt = performance.now();
  const standing = await world.start(seed);
  const watch = new FailureWatch();
  const about = { world: name, kind, size, seed };
  try {
    const summary = await runSuites(optionsOf(request, standing, watch));
    return { ...about, ...found(summary, watch), durationMs: since(startedAt) };
  } catch (error) {
    if (!(error instanceof Error) || !FOR_PEOPLE.has(error.name)) throw error;
    const nothing = { kept: [], complaints: [], spent: NOTHING };
    return { ...about, outcome: 'refused', said: [error.message], ...nothing, durationMs: since(startedAt) };
  } finally {
    await standing.close();
  }
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['TargetUnreachable', 'KeyRefused']);

function optionsOf(
  { size, seed, timeoutMs }: ProofRequest,
  { baseUrl, keys, controlUrl, profile = {} }: Standing,
  watch: FailureWatch,
): Parameters<typeof runSuites>[0] {
  return {
    ...SIZED[size],
    ...watch.watched({ checks: CHECKS, invariants: INVARIANTS }),
    // Of a live target, failures are simplified in few attempts.
    target: { kind: 'live', baseUrl, keys, profile, headers: {} },
    ...(controlUrl !== undefined && size !== 'unaided' && { control: { url: controlUrl, patienceMs: 400 } }),
    seed,
    timeoutMs,
    onExchange: watch.ended,
  };
}

function found({ outcome, cutShort, checks, clauses: all, spent }: Summary, watch: FailureWatch) {
  return {
    outcome,
    said: cutShort,
    kept: all.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
    complaints: checks.flatMap(({ id, clauses, verdict, reason }): Complaint[] => {
      if (verdict === 'pass') return [];
      const after = watch.firstFailureOf(id);
      return [{ check: id, clauses, verdict, reason, ...(after !== undefined && { after }) }];
    }),
    spent,
  };
}

function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
