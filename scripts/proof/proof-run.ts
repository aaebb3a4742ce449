import { type ClauseId, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import { CHECKS, INVARIANTS } from '../../suites/catalogue.ts';
import type { Keys, Target } from '../../suites/engine/model/run.ts';
import type { CheckResult, RunOutcome, Summary, Verdict } from '../../suites/engine/model/summary.ts';
import type { Profile } from '../../suites/engine/model/target.ts';
import { CannotBegin } from '../../suites/engine/running/first-answer.ts';
import { runSuites } from '../../suites/engine/running/run-suites.ts';
import { DEFAULTS, sizeOf } from '../cli/options/check-table.ts';
import type { Leaves } from './variants/variant.ts';

/** How much a run sends: what the caps of a live target allow (`live`), or every example and 20 drawn inputs (`full`). */
export const RUN_SIZES = ['live', 'full'] as const;
export type RunSize = (typeof RUN_SIZES)[number];

/** How a run ends. `capped`: a cap was reached, and nothing else. `refused`: in the preflight, with a message for the user. */
export type ProofOutcome = RunOutcome | 'capped' | 'refused';

/** A check that did not pass. */
export type Complaint = Pick<CheckResult, 'id' | 'clauses' | 'verdict' | 'reason' | 'hint'>;

/** What one run said, of a service or of a caller. */
export interface Said {
  readonly outcome: ProofOutcome;
  /** The message of a refused run, or why a run was cut short. */
  readonly messages: readonly string[];
  readonly passed: readonly ClauseId[];
  /** The clauses that the run says nothing about. */
  readonly unexercised: readonly ClauseId[];
  readonly complaints: readonly Complaint[];
  /** What was observed of each open point, as JSON. */
  readonly observed: Readonly<Record<string, string>>;
  /** What is wrong with the credits that a mock booked during the run, in words. */
  readonly imbalances: readonly string[];
}

/** One run to make. A world goes by its name: it cannot be sent to another thread. */
export interface Job {
  readonly world: string;
  readonly size: RunSize;
  readonly seed: number;
}

export interface ProofRun extends Job, Said {}

/** What every run must say of a world. */
export interface Expected {
  readonly ends: readonly ProofOutcome[];
  /** The clauses that the world breaks: each of them is blamed. */
  readonly breaks: readonly ClauseId[];
  /** The clauses that are in doubt: nothing shows for sure whether the world breaks them. */
  readonly doubted?: readonly ClauseId[];
  /** The clauses that may be blamed too, and why. */
  readonly alsoBlamed: Readonly<Partial<Record<ClauseId, string>>> | 'anything';
  /** The only clauses that may pass. Absent: any may. */
  readonly keeps?: readonly ClauseId[];
  /** All that is left unexercised within the caps of a live target. Absent: not known. */
  readonly leaves?: Leaves;
}

/** Nothing shows for sure what a doubtful caller breaks: it is neither blamed nor passed. */
export type CallerKind = 'broken-caller' | 'doubtful-caller' | 'faithful-caller';
export type WorldKind = 'defect' | 'variant' | 'adversary' | CallerKind;

/** A service or a caller whose verdicts are known. */
export interface World {
  /** Words joined by hyphens. */
  readonly name: string;
  readonly kind: WorldKind;
  readonly expected: Expected;
  /** Rejects only for a failure of ours. */
  readonly run: (size: RunSize, seed: number) => Promise<Said>;
}

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
      if (!(error instanceof CannotBegin)) throw error;
      return { ...NOTHING, outcome: 'refused', messages: [error.message] };
    } finally {
      await close();
    }
  };
}

const NOTHING = { passed: [], unexercised: [], complaints: [], observed: {}, imbalances: [] };

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
    complaints: checks.filter(({ verdict }) => verdict !== 'pass'),
    observed: Object.fromEntries(open.map(({ point, observed }) => [point, JSON.stringify(observed)])),
    imbalances: [],
  };
}
