import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { Journal } from '../../suites/kit/model/journal.ts';
import type { Target } from '../../suites/kit/model/run.ts';
import type { ClauseResult, Summary, Verdict } from '../../suites/kit/model/summary.ts';
import { runSuites } from '../../suites/kit/running/run-suites.ts';
import { DEFAULTS, sizeOf } from '../cli/check/check-defaults.ts';
import type { ProofOutcome, ProofWorld, RunningService } from './model/proof-world.ts';

/** How much a run sends: every example, as against the mock (`full`), or what the caps of a live target allow (`live`). */
export type RunSize = 'full' | 'live';

export const RUN_SIZES: readonly RunSize[] = ['full', 'live'];

/** A check that did not pass. */
export interface Complaint {
  readonly check: string;
  readonly clauses: readonly ClauseId[];
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly reason: string;
  /** How more could be exercised. */
  readonly hint: string | undefined;
}

/** What one run said about one world. */
export interface ProofRun {
  readonly world: string;
  readonly size: RunSize;
  readonly seed: number;
  readonly outcome: ProofOutcome;
  /** The message of a refused run, or why a run was cut short. */
  readonly messages: readonly string[];
  /** The clauses with the verdict `pass`. */
  readonly passed: readonly ClauseId[];
  /** The clauses of the service that the run says nothing about. */
  readonly unexercised: readonly ClauseId[];
  readonly complaints: readonly Complaint[];
  /** What is wrong with the credits that a mock booked during the run, in words. */
  readonly imbalances: readonly string[];
}

/** Only an adversary keeps a run waiting on purpose. */
const TIMEOUT_MS = 20_000;
const ADVERSARY_TIMEOUT_MS = 1500;

/** Starts a world, runs the suites against it, and closes it. Rejects only for a failure of ours. */
export async function runAgainst(world: ProofWorld, size: RunSize, seed: number): Promise<ProofRun> {
  const service = await world.start(seed);
  const timeoutMs = world.kind === 'adversary' ? ADVERSARY_TIMEOUT_MS : TIMEOUT_MS;
  const job = { world: world.name, size, seed };
  try {
    const summary = await summaryOf(service, size, { seed, timeoutMs });
    return { ...job, ...resultOf(summary), imbalances: service.imbalances?.() ?? [] };
  } catch (error) {
    if (!(error instanceof Error) || !REFUSALS.has(error.name)) throw error;
    return { ...job, ...REFUSED, messages: [error.message] };
  } finally {
    await service.close();
  }
}

const REFUSED = { outcome: 'refused', passed: [], unexercised: [], complaints: [], imbalances: [] } as const;

const REFUSALS: ReadonlySet<string> = new Set(['TargetUnreachable', 'KeyRefused']);

function sizeAs(kind: Target['kind']) {
  const { tier, concurrency } = DEFAULTS[kind];
  return { ...sizeOf(tier, kind), concurrency };
}

/** Every example is sent, and then few drawn inputs: further seeds draw others. */
const DRAWN = 20;

const SIZES = { full: { ...sizeAs('mock'), runs: DRAWN }, live: sizeAs('live') };

/** Runs the suites against a service that has started, with every permission. */
export function summaryOf(
  { baseUrl, keys, controlUrl, profile = {} }: RunningService,
  size: RunSize,
  { seed, timeoutMs = TIMEOUT_MS, journal }: SummaryOptions,
): Promise<Summary> {
  return runSuites({
    ...SIZES[size],
    seed,
    timeoutMs,
    allow: new Set(['disruptive', 'costly'] as const),
    checks: CHECKS,
    invariants: INVARIANTS,
    // As against any live target, a failure is shrunk in few attempts.
    target: { kind: 'live', baseUrl, keys, profile, headers: {} } as const,
    ...(controlUrl !== undefined && { control: { url: controlUrl, patienceMs: 400 } }),
    ...(journal !== undefined && { journal }),
  });
}

export interface SummaryOptions {
  readonly seed: number;
  readonly timeoutMs?: number;
  readonly journal?: Journal;
}

function resultOf({ outcome, cutShort, checks, clauses: all }: Summary) {
  return {
    outcome,
    messages: cutShort,
    passed: all.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
    unexercised: all.filter(isUnexercised).map(({ id }) => id),
    complaints: checks.flatMap(({ id, clauses, verdict, reason, hint }): Complaint[] =>
      verdict === 'pass' ? [] : [{ check: id, clauses, verdict, reason, hint }],
    ),
  };
}

function isUnexercised({ bound, verdict }: ClauseResult): boolean {
  return bound === 'service' && (verdict === 'not-exercised' || verdict === 'inconclusive');
}
