import type { RunOptions, Target } from '../../suites/kit/model/run.ts';
import { DEFAULTS, sizeOf } from '../cli/check/check-defaults.ts';

/**
 * How large a run is. `full`: everything, as against the mock. `live`: within the caps of a live target, with all leave
 * and the control URL. `unaided`: within the same caps, and without either, as somebody runs it who has only a key.
 */
export type Size = 'full' | 'live' | 'unaided';

export const SIZES: readonly Size[] = ['full', 'live', 'unaided'];

/** Whoever has no leave and no control cannot see all: that is measured, and no goal. */
export const BINDING = ['full', 'live'] as const satisfies readonly Size[];

type Sized = Pick<RunOptions, 'runs' | 'concurrency' | 'caps' | 'allow'>;

const all = new Set(['disruptive', 'costly'] as const);

function sized(kind: Target['kind'], allow: RunOptions['allow']): Sized {
  const { tier, concurrency } = DEFAULTS[kind];
  const { runs, caps } = sizeOf(tier, kind);
  return { runs, caps, concurrency, allow };
}

export const SIZED: Readonly<Record<Size, Sized>> = {
  full: sized('mock', all),
  live: sized('live', all),
  unaided: sized('live', new Set()),
};
