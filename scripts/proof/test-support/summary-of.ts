import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { runSuites } from '../../../suites/kit/running/run-suites.ts';
import { DEFAULTS, sizeOf } from '../../cli/check/check-defaults.ts';
import type { ProofWorld } from '../model/proof-world.ts';

/** The summary of a run against a world, with the defaults and caps of a live target, or with those of the mock; always with control. */
export async function summaryOf(world: ProofWorld, size: 'live' | 'full', seed = 1): Promise<Summary> {
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

/** Every check that found fault, with its reason. */
export function faultsIn({ checks }: Summary): readonly string[] {
  const wrong = checks.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  return wrong.map(({ id, verdict, reason }) => `${verdict} ${id}: ${reason}`);
}
