import { shardName, type ShardPlace } from '../../../suites/kit/model/run.ts';
import { splitRun } from '../../../suites/kit/recorded/split-run.ts';
import { UsageError } from '../terminal/exit.ts';
import { packageVersion } from '../terminal/own-package.ts';
import type { CheckOptions } from './check-options.ts';
import { planInputs } from './print-plan.ts';

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

/** The share of a shard, for people; undefined without shards. */
export function shardLine({ run: { shard, checks } }: CheckOptions): string | undefined {
  if (shard === undefined) return undefined;
  const name = `shard ${shardName(shard)}`;
  if (checks.length === 0) return `${name} has no check: there are fewer kinds of requests than shards`;
  return `${name}: ${checks.length} of ${shard.checks.length} checks`;
}
