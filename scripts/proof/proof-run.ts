import { type ClauseId, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import type { Keys, Target } from '../../suites/engine/model/run.ts';
import type { Summary, Verdict } from '../../suites/engine/model/summary.ts';
import type { Profile } from '../../suites/engine/model/target.ts';
import { runSuites } from '../../suites/engine/running/run-suites.ts';
import { DEFAULTS, sizeOf } from '../cli/options/check-defaults.ts';
import type { Complaint, Said, World } from './world.ts';

/** A service that is up, and how a run reaches it. */
export interface RunningService {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Absent: faults cannot be armed, and the workspace cannot be read. */
  readonly controlUrl?: string;
  readonly profile?: Profile;
  /** What is wrong with the credits that a mock has booked, in words. */
  readonly imbalances?: () => readonly string[];
  readonly close: () => Promise<void>;
}

export type StartService = (seed: number) => Promise<RunningService>;

const TIMEOUT_MS = 20_000;

/** Every example is sent, and then few drawn inputs: further seeds draw others. */
const DRAWN = 20;
const SIZES = { full: { ...sizeAs('mock'), runs: DRAWN }, live: sizeAs('live') };

function sizeAs(kind: Target['kind']) {
  const { tier, concurrency } = DEFAULTS[kind];
  return { ...sizeOf(tier, kind), concurrency };
}

/** Starts a service, runs the suites against it with every permission, and closes it. */
export function runAgainst(start: StartService, timeoutMs = TIMEOUT_MS): World['run'] {
  return async (size, seed) => {
    const { baseUrl, keys, controlUrl, profile = {}, imbalances, close } = await start(seed);
    try {
      const summary = await runSuites({
        ...SIZES[size],
        seed,
        timeoutMs,
        allow: new Set(['disruptive', 'costly'] as const),
        checks: CHECKS,
        invariants: INVARIANTS,
        // As against any live target, a failure is shrunk in few attempts.
        target: { kind: 'live', baseUrl, keys, profile, headers: {} } as const,
        ...(controlUrl !== undefined && { control: { url: controlUrl, patienceMs: 400 } }),
      });
      return { ...saidIn(summary), imbalances: imbalances?.() ?? [] };
    } catch (error) {
      if (!(error instanceof Error) || !REFUSALS.has(error.name)) throw error;
      return { ...NOTHING, outcome: 'refused', messages: [error.message] };
    } finally {
      await close();
    }
  };
}

const NOTHING = { passed: [], unexercised: [], complaints: [], observed: {}, imbalances: [] };
const REFUSALS: ReadonlySet<string> = new Set(['TargetUnreachable', 'KeyRefused']);

/** What a run said, of a service or of a caller. */
export function saidIn({ outcome, target, cutShort, checks, clauses, open }: Summary): Said {
  const isCapped = outcome === 'incomplete' && cutShort.some((reason) => reason.startsWith('the cap of'));
  const bound = target.kind === 'caller' ? 'caller' : 'service';
  const idsOf = (...verdicts: readonly Verdict[]): readonly ClauseId[] =>
    clauses.filter((clause) => verdicts.includes(clause.verdict)).map(({ id }) => id);
  return {
    outcome: isCapped ? 'capped' : outcome,
    messages: cutShort,
    passed: idsOf('pass'),
    unexercised: idsOf('not-exercised', 'inconclusive').filter((id) => CLAUSES[id].bound === bound),
    complaints: checks.flatMap(({ id, clauses: of, verdict, reason, hint }): Complaint[] =>
      verdict === 'pass' ? [] : [{ check: id, clauses: of, verdict, reason, hint }],
    ),
    observed: Object.fromEntries(open.map(({ point, observed }) => [point, JSON.stringify(observed)])),
    imbalances: [],
  };
}
