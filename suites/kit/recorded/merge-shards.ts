import { invariantEntry, targetInfoEntry } from '../journal/entries.ts';
import { recordingOf } from '../journal/read-journal.ts';
import type { Invariant } from '../model/invariant.ts';
import type { Entry, FinishedEntry, RunEntry, TargetInfoEntry } from '../model/journal.ts';
import { shardName } from '../model/run.ts';
import { judgeInvariants } from '../running/judge-invariants.ts';
import { killedReason, leastDurationMs } from './recorded-findings.ts';
import type { ShardJournal, Shards } from './shards-of-one-run.ts';

/**
 * The journal that the whole run would have left, line by line. Trials keep their rulings; the invariants of the run judge
 * the exchanges of all shards together, since some compare one with another. `gate` decides its outcome.
 */
export function mergeShards(
  shards: Shards,
  invariants: readonly Invariant[],
  gate: Pick<RunEntry, 'known' | 'failOn'> = {},
): Iterable<Entry> {
  const begin = [{ ...mergedRun(shards), ...gate }, ...mergedTargetInfo(shards)];
  const lines = inTurn(begin, () => shardLines(shards));
  const { run, record, info } = recordingOf(lines, 'the merged journal');
  const asked = new Set(run.invariants.map(({ id }) => id));
  const own = invariants.filter(({ id }) => asked.has(id));
  const judged = info === undefined ? [] : [...judgeInvariants(own, record, info)];
  const ruled = judged.map(([{ id }, rulings]) => invariantEntry(id, rulings));
  return inTurn(begin, () => shardLines(shards), [...ruled, mergedEnd(shards)]);
}

/** Lines that can be read again and again, of which those in the middle are read from files each time. */
function inTurn(
  begin: readonly Entry[],
  middle: () => Iterable<Entry>,
  end: readonly Entry[] = [],
): Iterable<Entry> {
  return {
    *[Symbol.iterator]() {
      yield* begin;
      yield* middle();
      yield* end;
    },
  };
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
