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

/** A time of this many milliseconds, rounded up: `40 s`, `3 min`. */
function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
