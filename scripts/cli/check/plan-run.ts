import { join } from 'node:path';
import type { ShardPlace } from '../../../suites/engine/model/run.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { type PlannedTime, planJson, planText } from '../../../suites/engine/running/plan-report.ts';
import { type PlanOptions, planSpending } from '../../../suites/engine/running/spending-plan.ts';
import { splitRun } from '../../../suites/engine/running/split-run.ts';
import type { CheckFlags } from '../options/check-table.ts';
import { millisecondsOf } from '../options/kinds.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { packageVersion } from '../terminal/own-package.ts';
import { writeWhole } from '../terminal/write-file.ts';
import type { CheckOptions } from './check-options.ts';
import type { Memory } from './memory.ts';

/** Prints what a run would send at most, as JSON or for people, and writes it beside the reports. Sends nothing. */
export function printPlan(
  options: CheckOptions,
  { plan: latency, json: asJson = false }: Pick<CheckFlags, 'plan' | 'json'>,
  { lastRun }: Pick<Memory, 'lastRun'>,
): void {
  const { run, report } = options;
  const plan = planSpending(planInputs(options));
  const time: PlannedTime = {
    ...(run.maxTimeMs !== undefined && { mostMs: run.maxTimeMs }),
    ...(typeof latency === 'string' && {
      atLatency: {
        latencyMs: millisecondsOf(latency),
        concurrency: run.concurrency,
        leastMs: Math.ceil(plan.total.completions / run.concurrency) * millisecondsOf(latency),
      },
    }),
    ...(lastRun !== undefined && { lastRun }),
  };
  const json = planJson(plan, run.runs, time);
  writeLine(asJson ? json.trimEnd() : planText(plan, time, styleTextFor('stdout')).trimEnd());
  if (report === undefined) return;
  const file = join(report, 'plan.json');
  writeWhole(file, json);
  noteLine(`Written: ${file}`);
}

/** What is known of a run before its preflight; the bundled mock has every key. */
export function planInputs({ run: options, target, control }: CheckOptions): PlanOptions {
  if (target.kind === 'live') return { ...options, target, control };
  const keys = { primary: '', second: '', unscoped: '' };
  return { ...options, target: { ...target, keys }, control: { url: '' } };
}

/**
 * The options of one shard: its checks, and its share of the caps.
 * @throws {UsageError} When there is less to send than there are jobs.
 */
export function takeShard(options: CheckOptions, place: ShardPlace): CheckOptions {
  const { checks, caps } = options.run;
  if (caps.requests < place.count)
    throw new UsageError(
      `${place.count} shards cannot share ${caps.requests} requests: raise --max-requests or take fewer shards`,
    );
  const share = splitRun(planInputs(options), place.count)[place.index - 1];
  const shard = { ...place, release: packageVersion(), checks, caps };
  return { ...options, run: { ...options.run, ...share, shard } };
}
