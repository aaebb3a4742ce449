import { CHECKS } from '../../suites/catalogue.ts';
import type { Keys, Target } from '../../suites/engine/model/run.ts';
import type { Summary } from '../../suites/engine/model/summary.ts';
import type { Profile } from '../../suites/engine/model/target.ts';
import { runSuites } from '../../suites/engine/running/run-suites.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { tryCaller } from '../caller/try-caller.ts';
import { DEFAULTS, sizeOf } from '../cli/check/check-defaults.ts';
import type { ProofCaller } from './callers/proof-caller.ts';
import type { Complaint, RunSize, Said, World } from './world.ts';

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

/** Starts a service, runs the suites against it, and closes it. */
export function runAgainst(start: StartService, timeoutMs = TIMEOUT_MS): World['run'] {
  return async (size, seed) => {
    const service = await start(seed);
    try {
      const said = saidIn(await summaryOf(service, size, seed, timeoutMs));
      return { ...said, imbalances: service.imbalances?.() ?? [] };
    } catch (error) {
      if (!(error instanceof Error) || !REFUSALS.has(error.name)) throw error;
      return { ...REFUSED, messages: [error.message] };
    } finally {
      await service.close();
    }
  };
}

const REFUSED = {
  outcome: 'refused',
  passed: [],
  unexercised: [],
  complaints: [],
  observed: {},
  imbalances: [],
} as const;

const REFUSALS: ReadonlySet<string> = new Set(['TargetUnreachable', 'KeyRefused']);

/** Lets the judge of callers try a caller. Its scenarios say how much it sends. */
export function runOf({ name, scenarios, start }: ProofCaller): World['run'] {
  return async (_size, seed) => saidIn(await tryCaller({ name, scenarios, start, seed }));
}

function sizeAs(kind: Target['kind']) {
  const { tier, concurrency } = DEFAULTS[kind];
  return { ...sizeOf(tier, kind), concurrency };
}

/** Every example is sent, and then few drawn inputs: further seeds draw others. */
const DRAWN = 20;

const SIZES = { full: { ...sizeAs('mock'), runs: DRAWN }, live: sizeAs('live') };

/** Runs the suites against a service that has started, with every permission. */
function summaryOf(
  { baseUrl, keys, controlUrl, profile = {} }: RunningService,
  size: RunSize,
  seed: number,
  timeoutMs: number,
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
  });
}

function saidIn({ outcome, target, cutShort, checks, clauses, open }: Summary): Said {
  const isCapped = outcome === 'incomplete' && cutShort.some((reason) => reason.startsWith('the cap of'));
  const bound = target.kind === 'caller' ? 'caller' : 'service';
  const unexercised = clauses.filter(
    (clause) =>
      clause.bound === bound && (clause.verdict === 'not-exercised' || clause.verdict === 'inconclusive'),
  );
  return {
    outcome: isCapped ? 'capped' : outcome,
    messages: cutShort,
    passed: clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
    unexercised: unexercised.map(({ id }) => id),
    complaints: checks.flatMap(({ id, clauses: of, verdict, reason, hint }): Complaint[] =>
      verdict === 'pass' ? [] : [{ check: id, clauses: of, verdict, reason, hint }],
    ),
    observed: Object.fromEntries(open.map(({ point, observed }) => [point, JSON.stringify(observed)])),
    imbalances: [],
  };
}
