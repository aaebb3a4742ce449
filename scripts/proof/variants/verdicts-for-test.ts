import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { DEFAULTS, sizeOf } from '../../cli/check/check-defaults.ts';
import type { ProvedWorld } from '../proved-world.ts';

/**
 * What the suites say of a world: within the caps of a live target and without leave, or everything as against the
 * mock; with the control URL in either case.
 */
export async function verdictsOf(world: ProvedWorld, size: 'live' | 'full', seed = 1): Promise<Summary> {
  const { baseUrl, keys, controlUrl, profile = {}, close } = await world.start(seed);
  const kind = size === 'live' ? 'live' : 'mock';
  const { tier, concurrency, allow } = DEFAULTS[kind];
  try {
    return await runSuites({
      ...sizeOf(tier, kind),
      concurrency,
      allow: new Set(allow),
      target: { baseUrl, kind: 'live', keys, profile, headers: {} },
      ...(controlUrl !== undefined && { control: { url: controlUrl } }),
      checks: CHECKS,
      invariants: INVARIANTS,
      seed,
      timeoutMs: 30_000,
    });
  } finally {
    await close();
  }
}

/** Every check that found fault, with its reason: of a faithful service there is none. */
export function faultsIn({ checks }: Summary): readonly string[] {
  const wrong = checks.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  return wrong.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`);
}
