import { isDeepStrictEqual } from 'node:util';
import { shardName } from '../sharding/shard.ts';
import type { RecordedShard, RunEntry } from '../model/journal.ts';
import { JournalReadError, type Entries, recordingOf, type Recording } from '../journal/read-journal.ts';

/** One shard of a run, read from its journal. */
export interface ShardJournal {
  readonly file: string;
  readonly lines: Entries;
  readonly recording: Recording;
  readonly shard: RecordedShard;
}

/** At least one. */
export type Shards = readonly [ShardJournal, ...ShardJournal[]];

/** @throws {JournalReadError} Given the journal of a run that is no shard. */
export function shardJournal(file: string, lines: Entries): ShardJournal {
  const recording = recordingOf(lines, file);
  const { shard, merged } = recording.run;
  if (shard !== undefined) return { file, lines, recording, shard };
  const what = merged === undefined ? 'a whole run, made without --shard' : 'merged already';
  throw new JournalReadError(`${file} is no shard: it is ${what}`);
}

/** What shards of one run have in common. */
const COMMON: readonly (readonly [string, (shard: ShardJournal) => unknown])[] = [
  ['seed', ({ recording: { run } }) => run.seed],
  ['release', ({ shard }) => shard.release],
  ['target', ({ recording: { run } }) => addressOf(run)],
  ['profile', ({ recording: { run } }) => run.target.profile],
  ['set of keys', ({ recording: { run } }) => run.keys],
  ['number of shards', ({ shard }) => shard.count],
  ['selection of checks', ({ shard, recording: { run } }) => [shard.checks, run.invariants]],
  ['set of caps', ({ shard }) => shard.caps],
  ['size', ({ recording: { run } }) => [run.runs, run.withholds]],
  ['timeout', ({ recording: { run } }) => run.timeoutMs],
  ['set of permissions', ({ recording: { run } }) => run.allow.toSorted()],
];

/** The mock of every shard listens at a port of its own. */
function addressOf({ target: { baseUrl, kind, controlUrl, headers } }: RunEntry): unknown {
  return kind === 'mock' ? { kind, headers } : { kind, headers, baseUrl, controlUrl };
}

/**
 * The shards in their order, if they are of one run; some may be missing.
 * @throws {JournalReadError} With one line that names two files, and in what they differ.
 */
export function belongingShards([first, ...others]: Shards): Shards {
  for (const other of others) {
    const difference = COMMON.find(([, of]) => !isDeepStrictEqual(of(other), of(first)));
    if (difference === undefined) continue;
    throw new JournalReadError(
      `${other.file} and ${first.file} are not of one run: each has another ${difference[0]}`,
    );
  }
  const sorted = [first, ...others].toSorted((a, b) => a.shard.index - b.shard.index);
  for (const [i, { shard, file }] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before?.shard.index !== shard.index) continue;
    throw new JournalReadError(`${before.file} and ${file} are both shard ${shardName(shard)}`);
  }
  const [least = first, ...rest] = sorted;
  return [least, ...rest];
}
