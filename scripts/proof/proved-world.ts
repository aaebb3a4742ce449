import type { Profile } from '../../suites/kit/model/profile.ts';
import type { Keys } from '../../suites/kit/model/run.ts';

/** A service that stands ready to be checked. */
export interface Standing {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Absent: faults cannot be armed, and the workspace cannot be read. */
  readonly controlUrl?: string;
  readonly profile?: Profile;
  readonly close: () => Promise<void>;
}

/** A service of which it is known what the suites have to say. */
export interface ProvedWorld {
  readonly name: string;
  readonly kind: 'defect' | 'adversary' | 'variant' | 'second-service';
  readonly start: (seed: number) => Promise<Standing>;
}
