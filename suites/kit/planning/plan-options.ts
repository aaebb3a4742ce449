import { type KeyName, KEY_NAMES } from '../model/exchange.ts';
import type { Profile } from '../model/profile.ts';
import type { RunOptions, Target } from '../model/run.ts';

/** What is known of a run before anything is sent. */
export interface PlanOptions extends Pick<
  RunOptions,
  'checks' | 'invariants' | 'seed' | 'runs' | 'caps' | 'withholds' | 'allow'
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
