import type { Waiting } from '../../../suites/kit/model/run.ts';
import { planSpending } from '../../../suites/kit/planning/plan-spending.ts';
import { durationAt } from '../../../suites/kit/sending/pacemaker.ts';
import type { CheckOptions } from './check-options.ts';
import { planInputs } from './print-plan.ts';

/** How long the pace makes a run, for people; undefined without one. */
export function paceLine(options: CheckOptions): string | undefined {
  const { pace } = options.run;
  if (pace === undefined) return undefined;
  const { ifKept, atMost } = planSpending(planInputs(options));
  const taking = (count: number): string => `${timeText(durationAt(pace, count))} for ${count} requests`;
  const usual = taking(ifKept.requests);
  return `paced: ${usual}${atMost.requests > ifKept.requests ? `, at most ${taking(atMost.requests)}` : ''}`;
}

/**
 * How long the target asks to wait, and how long the rest of the run takes if it goes on like this: what was sent so far
 * took the time so far and this wait.
 */
export function waitLine({ ms, requests }: Waiting, elapsedMs: number, options: CheckOptions): string {
  const asks = `rate limit: the target asks to wait ${timeText(ms)}`;
  const left = Math.max(0, planSpending(planInputs(options)).ifKept.requests - requests);
  if (left === 0 || requests === 0) return asks;
  return `${asks}; about ${timeText(ms + (left * (elapsedMs + ms)) / requests)} left for ${left} requests`;
}

/** A time of this many milliseconds, rounded up: `40 s`, `3 min`. */
function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
