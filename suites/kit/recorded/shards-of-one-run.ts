import { isDeepStrictEqual } from 'node:util';
import { type JournalLines, JournalReadError } from '../journal/journal-lines.ts';
import type { Recording } from '../journal/read-journal.ts';
import type { RecordedShard, RunEntry } from '../model/journal.ts';
import { shardName } from '../model/run.ts';

/** A run, and the lines of its journal. */
export interface ReadJournal {
  readonly lines: JournalLines;
  readonly recording: Recording;
}

/** One shard of a run. */
export interface ShardJournal extends ReadJournal {
  readonly shard: RecordedShard;
}

export type Shards = readonly [ShardJournal, ...ShardJournal[]];

/** @throws {JournalReadError} Given a run that is not a shard. */
function asShard(read: ReadJournal): ShardJournal {
  const { shard, merged } = read.recording.run;
  if (shard !== undefined) return { ...read, shard };
  const what = merged === undefined ? 'a whole run, made without --shard' : 'already merged';
  throw new JournalReadError(`${read.lines.file} is not a shard: it is ${what}`);
}

/** The shards of one run agree on all of these. */
const COMMON: readonly (readonly [string, (shard: ShardJournal) => unknown])[] = [
  ['seed', ({ recording: { run } }) => run.seed],
  ['release', ({ shard }) => shard.release],
  ['target', ({ recording: { run } }) => addressOf(run)],
  ['profile', ({ recording: { run } }) => run.target.profile],
  ['keys', ({ recording: { run } }) => run.keys],
  ['number of shards', ({ shard }) => shard.count],
  ['selected checks', ({ shard, recording: { run } }) => [shard.checks, run.invariants, run.selected]],
  ['caps', ({ shard }) => shard.caps],
  ['size', ({ recording: { run } }) => [run.runs, run.withholds]],
  ['timeout', ({ recording: { run } }) => run.timeoutMs],
  ['baseline', ({ recording: { run } }) => run.known],
  ['--fail-on', ({ recording: { run } }) => run.failOn],
  ['permissions', ({ recording: { run } }) => run.allow.toSorted()],
];

/** The mock of each shard listens on its own port. */
function addressOf({ target: { baseUrl, kind, controlUrl, headers } }: RunEntry): unknown {
  return kind === 'mock' ? { kind, headers } : { kind, headers, baseUrl, controlUrl };
}

/**
 * Sorts the shards of one run; some may be missing.
 * @throws {JournalReadError} Given a whole run, or shards of different runs: one line that names the files and how they differ.
 */
export function shardsOfOneRun([one, ...more]: readonly [ReadJournal, ...ReadJournal[]]): Shards {
  const [first, ...others]: Shards = [asShard(one), ...more.map(asShard)];
  for (const other of others) {
    const difference = COMMON.find(([, of]) => !isDeepStrictEqual(of(other), of(first)));
    if (difference === undefined) continue;
    throw new JournalReadError(
      `${other.lines.file} and ${first.lines.file} are shards of different runs: they differ in ${difference[0]}`,
    );
  }
  const sorted = [first, ...others].toSorted((a, b) => a.shard.index - b.shard.index);
  for (const [i, { shard, lines }] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before?.shard.index !== shard.index) continue;
    throw new JournalReadError(`${before.lines.file} and ${lines.file} are both shard ${shardName(shard)}`);
  }
  const [least = first, ...rest] = sorted;
  return [least, ...rest];
}
