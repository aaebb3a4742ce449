import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { Check } from '../model/check.ts';
import type { Invariant } from '../model/invariant.ts';
import type { RunOptions } from '../model/run.ts';
import { finiteCaps } from '../running/finite-caps.ts';
import { KEY_NAMES } from '../sending/key-variables.ts';
import type { Shard } from '../sharding/shard.ts';
import type { RecordedJudged, RecordedShard, RecordedTarget, RunEntry } from './entry.ts';

/** The first line of a run's journal. */
export function runEntry(options: RunOptions, startedAt: string): RunEntry {
  const { seed, runs, concurrency, timeoutMs, caps, withholds, allow, target, checks, invariants } = options;
  const { shard } = options;
  return {
    type: 'run',
    format: 'chat-conformance/journal',
    version: 1,
    startedAt,
    seed,
    runs,
    concurrency,
    timeoutMs,
    caps: finiteCaps(caps),
    ...(withholds !== undefined && { withholds }),
    allow: [...allow],
    target: recordTarget(options),
    keys: KEY_NAMES.filter((name) => target.keys[name] !== undefined),
    checks: checks.map(recordJudged),
    invariants: invariants.map(recordJudged),
    ...(shard !== undefined && { shard: recordShard(shard) }),
  };
}

function recordShard({ caps, checks, ...place }: Shard): RecordedShard {
  return { ...place, caps: finiteCaps(caps), checks: checks.map(recordJudged) };
}

function recordTarget({ target, control }: RunOptions): RecordedTarget {
  const { baseUrl, kind, profile, headers } = target;
  const controlUrl = control === undefined ? {} : { controlUrl: control.url };
  return { baseUrl, kind, ...controlUrl, profile, headers: Object.keys(headers) };
}

function recordJudged({ id, clauses, title, level }: Check | Invariant): RecordedJudged {
  const isUsual = level === undefined || level === CLAUSES[clauses[0]].level;
  return { id, clauses, title, ...(!isUsual && { level }) };
}
