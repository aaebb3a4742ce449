import { redactorOf } from '../suites/kit/sending/redact.ts';
import { runSuites } from '../suites/kit/running/run-suites.ts';
import type { Keys, RunOptions, Target } from '../suites/kit/run.ts';
import type { Summary } from '../suites/kit/summary.ts';
import type { CheckPlan } from './check-plan.ts';
import { startEmbeddedMock } from './embedded-mock.ts';

/** What whoever starts a run sees of it, and how it can be ended. */
type Watch = Pick<RunOptions, 'signal' | 'onProgress'>;

async function runAgainst(target: Target, plan: CheckPlan, watch: Watch): Promise<Summary> {
  try {
    return await runSuites({ ...plan.options, ...watch, target });
  } catch (error) {
    throw error instanceof Error ? withoutKeys(error, target.keys) : error;
  }
}

/** Whatever went wrong, its text may quote a key. */
function withoutKeys(error: Error, keys: Keys): Error {
  const { text } = redactorOf(keys);
  error.message = text(error.message);
  if (error.stack !== undefined) error.stack = text(error.stack);
  return error;
}

/**
 * Runs a plan. The mock, when that is the destination, lives as long as the run.
 * Throws TargetUnreachable or KeyRefused, as the engine does.
 */
export async function runPlan(plan: CheckPlan, watch: Watch = {}): Promise<Summary> {
  const { destination, headers, profile } = plan;
  if (destination.kind === 'live') return runAgainst({ ...destination, headers, profile }, plan, watch);
  const { baseUrl, keys, stop } = await startEmbeddedMock(plan.options.seed);
  try {
    return await runAgainst({ kind: 'mock', baseUrl, keys, headers, profile }, plan, watch);
  } finally {
    await stop();
  }
}
