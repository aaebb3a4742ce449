import type { RunOptions } from '../../suites/kit/run.ts';
import { DEFAULTS } from '../check-defaults.ts';

/**
 * How large a run is. `full`: everything, as against the mock. `live`: within the caps of a live target, with all leave
 * and the control URL. `unaided`: within the same caps, and without either, as somebody runs it who has only a key.
 */
export type Size = 'full' | 'live' | 'unaided';

export const SIZES: readonly Size[] = ['full', 'live', 'unaided'];

type Sized = Pick<RunOptions, 'runs' | 'concurrency' | 'caps' | 'allow'>;

const { mock, live } = DEFAULTS;
const all = new Set(['disruptive', 'costly'] as const);

export const SIZED: Readonly<Record<Size, Sized>> = {
  full: { ...mock, allow: all },
  live: { ...live, allow: all },
  unaided: { ...live, allow: new Set() },
};
