import { shardName, type ShardPlace } from '../../../suites/kit/sharding/shard.ts';
import { splitRun } from '../../../suites/kit/sharding/split-run.ts';
import type { CheckPlan } from './check-plan.ts';
import { knownBefore } from './known-before.ts';
import { packageVersion } from '../package-version.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The part of a plan that falls to one of several jobs: its checks, and its share of the caps.
 * @throws {UsageError} When there is less to send than there are jobs.
 */
export function takeShard(plan: CheckPlan, place: ShardPlace): CheckPlan {
  const { checks, caps } = plan.options;
  if (caps.requests < place.count)
    throw new UsageError(
      `${place.count} shards cannot share ${caps.requests} requests: raise --max-requests or take fewer shards`,
    );
  const share = splitRun(knownBefore(plan), place.count)[place.index - 1];
  const shard = { ...place, release: packageVersion(), checks, caps };
  return { ...plan, options: { ...plan.options, ...share, shard } };
}

/** What falls to a shard, for people; undefined where there are no shards. */
export function shardLine({ options: { shard, checks } }: CheckPlan): string | undefined {
  if (shard === undefined) return undefined;
  const name = `shard ${shardName(shard)}`;
  if (checks.length === 0) return `${name} has no check: there are fewer kinds of requests than shards`;
  return `${name}: ${checks.length} of ${shard.checks.length} checks`;
}
