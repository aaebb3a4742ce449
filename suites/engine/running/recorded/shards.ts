import { isDeepStrictEqual } from 'node:util';
import { invariantEntry, targetInfoEntry } from '../../journal/entries.ts';
import { type JournalLines, JournalReadError } from '../../journal/journal-lines.ts';
import { type Recording, recordingOf } from '../../journal/read-journal.ts';
import type { Invariant } from '../../model/invariant.ts';
import type { Entry, FinishedEntry, RecordedShard, RunEntry, TargetInfoEntry } from '../../model/journal.ts';
import { shardName } from '../../model/run.ts';
import { judgeInvariants } from '../judge-invariants.ts';
import { killedReason, leastDurationMs } from './recorded-findings.ts';

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

/**
 * The journal that the whole run would have left, line by line. Trials keep their rulings; the invariants of the run judge
 * the exchanges of all shards together, since some compare one with another. `gate` decides its outcome.
 */
export function mergeShards(
  shards: Shards,
  invariants: readonly Invariant[],
  gate: Pick<RunEntry, 'known' | 'failOn'> = {},
): readonly Entry[] {
  const begin = [{ ...mergedRun(shards), ...gate }, ...mergedTargetInfo(shards), ...shardLines(shards)];
  const { run, record, info } = recordingOf(begin, 'the merged journal');
  const asked = new Set(run.invariants.map(({ id }) => id));
  const own = invariants.filter(({ id }) => asked.has(id));
  const judged = info === undefined ? [] : [...judgeInvariants(own, record, info)];
  return [...begin, ...judged.map(([{ id }, rulings]) => invariantEntry(id, rulings)), mergedEnd(shards)];
}

function mergedRun(shards: Shards): RunEntry {
  const [{ shard, recording }] = shards;
  const { shard: _, ...run } = recording.run;
  const { checks, caps } = shard;
  const startedAt = new Date(Math.min(...shards.map(beginningOf))).toISOString();
  return { ...run, startedAt, checks, caps, merged: shards.length };
}

/** A shard that sent no chat does not know how much output the target accepts. */
function mergedTargetInfo([first, ...others]: Shards): readonly TargetInfoEntry[] {
  const entries = [first, ...others].flatMap(targetInfoIn);
  const { outputTokens } = first.shard.caps;
  const fitted = entries.find(({ survey }) => survey.outputTokens !== outputTokens);
  return fitted === undefined ? entries.slice(0, 1) : [fitted];
}

function targetInfoIn({ recording: { info } }: ShardJournal): readonly TargetInfoEntry[] {
  return info === undefined ? [] : [targetInfoEntry(info)];
}

function mergedEnd(shards: Shards): FinishedEntry {
  const durationMs = Math.max(...shards.map(endOf)) - Math.min(...shards.map(beginningOf));
  const reasons = [...missing(shards), ...shards.flatMap(cutShort), ...changedModels(shards)];
  return { type: 'finished', durationMs, cutShort: reasons };
}

function beginningOf({ recording: { run } }: ShardJournal): number {
  return Date.parse(run.startedAt);
}

function endOf(shard: ShardJournal): number {
  const { recording } = shard;
  return beginningOf(shard) + (recording.finished?.durationMs ?? leastDurationMs(recording));
}

function missing([{ shard }, ...others]: Shards): readonly string[] {
  const { count } = shard;
  const there = new Set([shard, ...others.map((each) => each.shard)].map(({ index }) => index));
  const all = Array.from({ length: count }, (_, i) => ({ index: i + 1, count }));
  return all.filter(({ index }) => !there.has(index)).map((place) => `shard ${shardName(place)} is missing`);
}

function cutShort({ shard, recording }: ShardJournal): readonly string[] {
  const reasons = recording.finished?.cutShort ?? [killedReason(recording)];
  return reasons.map((reason) => `shard ${shardName(shard)}: ${reason}`);
}

/** When the target changed between shards, their results cannot be compared. */
function changedModels(shards: Shards): readonly string[] {
  const listed = shards.flatMap(({ shard, recording: { info } }) => {
    const ids = info?.models.map(({ id }) => id).toSorted();
    return ids === undefined ? [] : [{ shard, ids: JSON.stringify(ids) }];
  });
  const [first, ...others] = listed;
  return others
    .filter(({ ids }) => ids !== first?.ids)
    .map(({ shard }) => `shard ${shardName(shard)}: the target listed different models than before`);
}

/**
 * What the shards sent and judged, as lines of one journal. Several shards sent the preflight and the same counterparts:
 * all but the first of equal IDs get the number of their shard.
 */
function* shardLines(shards: readonly ShardJournal[]): Generator<Entry> {
  const taken = new Set<string>();
  let places = 0;
  for (const { lines, recording, shard } of shards) {
    const before = new Set(taken);
    const first = places;
    const id = (own: string): string => (before.has(own) ? `${own}@${shard.index}` : own);
    for (const line of lines) {
      const moved = movedLine(line, id, first);
      if (moved !== undefined) yield moved;
    }
    for (const exchange of recording.record) taken.add(exchange.id);
    for (const { entry } of recording.trials) places = Math.max(places, first + entry.nth + 1);
  }
}

/** Undefined for a line about a whole run. */
function movedLine(entry: Entry, id: (own: string) => string, first: number): Entry | undefined {
  switch (entry.type) {
    case 'sent':
    case 'ended':
    case 'withheld':
      return { ...entry, id: id(entry.id) };
    case 'trial': {
      const { nth, exchanges, control } = entry;
      const counterpart = control === undefined ? {} : { control: id(control) };
      return { ...entry, nth: first + nth, exchanges: exchanges.map(id), ...counterpart };
    }
    case 'shown':
      return entry;
    case 'run':
    case 'survey':
    case 'invariant':
    case 'finished':
      return undefined;
  }
}
