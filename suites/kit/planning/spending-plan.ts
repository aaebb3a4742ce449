import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { type KeyName, KEY_NAMES } from '../model/exchange.ts';
import type { Caps, Pass, RunOptions, Target } from '../model/run.ts';
import type { Stage } from '../model/stimulus.ts';
import type { Profile } from '../model/target.ts';

/** What is sent; a request that is sent again after a rate limit error counts each time. */
export interface Spending {
  readonly requests: number;
  readonly completions: number;
  /** Requested by the completions with bounded output. */
  readonly outputTokens: number;
  /** Completions without a limit of output tokens, or with one that no model reaches. */
  readonly open: number;
}

/** What one stimulus sends, or what the run sends besides the stimuli. */
export interface PlannedGroup {
  /** The name of the stimulus; `preflight`, `counterparts`, `fitting`, `simpler-failures` or `sent-again`. */
  readonly name: string;
  readonly stage: Stage | 'preflight' | 'any';
  readonly draws: number;
  /** How many of the draws fit the caps for certain, as long as the service keeps the specification. */
  readonly certain: number;
  /** Whatever the service does. */
  readonly atMost: Spending;
  /** If it keeps the specification and no rate limit is met: what must be refused is no completion. */
  readonly ifKept: Spending;
}

/** What one pass sends, counterparts included. */
export interface PlannedPass {
  readonly pass: Pass;
  readonly draws: number;
  readonly atMost: Spending;
  readonly ifKept: Spending;
}

/** Whether a run exercises a clause. `depends`: on what the target lists. */
export interface ClauseForecast {
  readonly id: ClauseId;
  readonly exercised: 'yes' | 'depends' | 'no';
  /** Empty where it is exercised fully. */
  readonly reason: string;
}

/** What a run would send at most, and what it would exercise. */
export interface SpendingPlan {
  readonly caps: Caps;
  readonly groups: readonly PlannedGroup[];
  /** In their order. */
  readonly passes: readonly PlannedPass[];
  /** Of all groups, within the caps. */
  readonly atMost: Spending;
  readonly ifKept: Spending;
  readonly clauses: readonly ClauseForecast[];
}

export const NO_SPENDING: Spending = { requests: 0, completions: 0, outputTokens: 0, open: 0 };

export function sumOf(spendings: readonly Spending[]): Spending {
  return spendings.reduce(
    (sum, each) => ({
      requests: sum.requests + each.requests,
      completions: sum.completions + each.completions,
      outputTokens: sum.outputTokens + each.outputTokens,
      open: sum.open + each.open,
    }),
    NO_SPENDING,
  );
}

/** What is known of a run before anything is sent. */
export interface PlanOptions extends Pick<
  RunOptions,
  | 'checks'
  | 'invariants'
  | 'judges'
  | 'selected'
  | 'seed'
  | 'runs'
  | 'caps'
  | 'withholds'
  | 'allow'
  | 'remembered'
  | 'known'
> {
  readonly kind: Target['kind'];
  readonly profile: Profile;
  readonly keys: ReadonlySet<KeyName>;
  /** Whether faults can be armed and the workspace be read. */
  readonly control: boolean;
}

/** The same of a run that is about to begin. */
export function planOptionsOf(options: RunOptions): PlanOptions {
  const { target, control } = options;
  return {
    ...options,
    kind: target.kind,
    profile: target.profile,
    keys: new Set(KEY_NAMES.filter((name) => target.keys[name] !== undefined)),
    control: control !== undefined,
  };
}
