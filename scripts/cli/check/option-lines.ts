import type { Check } from '../../../suites/engine/model/check.ts';
import type { Finding } from '../../../suites/engine/model/ruling.ts';
import { shardName, type Waiting } from '../../../suites/engine/model/run.ts';
import { timeText } from '../../../suites/engine/running/plan-report.ts';
import { planSpending } from '../../../suites/engine/running/spending-plan.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import type { CheckOptions } from './check-options.ts';
import { planInputs } from './plan-run.ts';

/** Where the keys of a run go; undefined: nowhere, since it checks the bundled mock. */
export function targetLine({ target, control }: CheckOptions): string | undefined {
  if (target.kind === 'mock') return undefined;
  return `checking ${target.baseUrl}${control === undefined ? '' : `, with its control API at ${control.url}`}`;
}

/** How little a live target is sent, and how it is sent more; undefined where that was asked for. */
export function capsLine({ target, run: { caps, runs } }: CheckOptions): string | undefined {
  if (runs !== 'few' || target.kind === 'mock') return undefined;
  return `at most ${caps.requests} requests and ${caps.completions} completions: where completions are free, --tier exhaustive tries every input`;
}

/** The share of a shard; undefined without shards. */
export function shardLine({ run: { shard, checks } }: CheckOptions): string | undefined {
  if (shard === undefined) return undefined;
  const name = `shard ${shardName(shard)}`;
  if (checks.length === 0) return `${name} has no check: there are fewer kinds of requests than shards`;
  return `${name}: ${checks.length} of ${shard.checks.length} checks`;
}

/** How long the pace makes a run, for people; undefined without one. */
export function paceLine(options: CheckOptions): string | undefined {
  const { pace } = options.run;
  if (pace === undefined) return undefined;
  const { total, caps } = planSpending(planInputs(options));
  const taking = (count: number): string =>
    `${timeText((count * pace.perMs) / pace.requests)} for ${count} requests`;
  const most = Number.isFinite(caps.requests) ? `, at most ${taking(caps.requests)}` : '';
  return `paced: ${taking(total.requests)}${total.requests < caps.requests ? most : ''}`;
}

/**
 * How long the target asks to wait, and how long the rest of the run takes if it goes on like this: what was sent so far
 * took the time so far and this wait.
 */
export function waitLine({ ms, requests }: Waiting, elapsedMs: number, options: CheckOptions): string {
  const asks = `rate limit: the target asks to wait ${timeText(ms)}`;
  const left = Math.max(0, planSpending(planInputs(options)).total.requests - requests);
  if (left === 0 || requests === 0) return asks;
  return `${asks}; about ${timeText(ms + (left * (elapsedMs + ms)) / requests)} left for ${left} requests`;
}

/** The first failure of a run that goes on. */
export function firstFailureLine(
  { id, clauses, title }: Pick<Check, 'id' | 'clauses' | 'title'>,
  { expected, actual }: Pick<Finding, 'expected' | 'actual'>,
): string {
  const of = clauses.length === 0 ? '' : ` (${clauses.join(' ')})`;
  const line = `first failure: ${id}${of}, ${title}: expected ${expected}; got ${actual}`;
  return printable(line, LONGEST_LINE);
}

const LONGEST_LINE = 300;
