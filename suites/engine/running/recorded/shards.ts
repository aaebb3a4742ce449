import { isDeepStrictEqual } from 'node:util';
import { type Recording, recordingOf } from '../../journal/recording.ts';
import type { Invariant } from '../../model/invariant.ts';
import type { Entry, RunEntry } from '../../model/journal.ts';
import { shardName } from '../../model/run.ts';
import { FileError } from '../../text/read-json-file.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { cutShortIn, durationIn } from './recorded-findings.ts';

/** A run, and the entries of its journal. */
export interface ReadRun {
  readonly file: string;
  readonly entries: readonly Entry[];
  readonly recording: Recording;
}

/** One shard of a run. */
interface Shard extends ReadRun {
  readonly run: RunEntry;
  readonly shard: NonNullable<RunEntry['shard']>;
}

/** Sorted; some may be missing. */
export type Shards = readonly [Shard, ...Shard[]];

/** @throws {FileError} Given a run that is not a shard. */
function asShard(read: ReadRun): Shard {
  const { run } = read.recording;
  if (run.shard !== undefined) return { ...read, run, shard: run.shard };
  const what = run.merged === undefined ? 'a whole run, made without --shard' : 'already merged';
  throw new FileError(`${read.file} is not a shard: it is ${what}`);
}

/** What the shards of one run agree on. */
function commonIn({ run, shard }: Shard): Readonly<Record<string, unknown>> {
  const { baseUrl, kind, controlUrl, headers, profile } = run.target;
  return {
    seed: run.seed,
    release: shard.release,
    // The mock of each shard listens on its own port.
    target: kind === 'mock' ? { kind, headers } : { kind, headers, baseUrl, controlUrl },
    profile,
    keys: run.keys,
    'number of shards': shard.count,
    'selected checks': [shard.checks, run.invariants, run.selected],
    caps: shard.caps,
    size: [run.runs, run.withholds],
    timeout: run.timeoutMs,
    baseline: run.known,
    '--fail-on': run.failOn,
    permissions: run.allow.toSorted(),
  };
}

/**
 * Sorts the shards of one run.
 * @throws {FileError} Given a whole run, or shards of different runs: one line that names the files and how they differ.
 */
export function shardsOfOneRun([one, ...more]: readonly [ReadRun, ...ReadRun[]]): Shards {
  const [first, ...others]: Shards = [asShard(one), ...more.map(asShard)];
  const common = commonIn(first);
  for (const other of others) {
    const difference = Object.entries(commonIn(other)).find(
      ([name, value]) => !isDeepStrictEqual(value, common[name]),
    );
    if (difference !== undefined)
      throw new FileError(
        `${other.file} and ${first.file} are shards of different runs: they differ in ${difference[0]}`,
      );
  }
  const [least = first, ...rest] = [first, ...others].toSorted((a, b) => a.shard.index - b.shard.index);
  for (const [i, { shard, file }] of rest.entries()) {
    const before = rest[i - 1] ?? least;
    if (before.shard.index === shard.index)
      throw new FileError(`${before.file} and ${file} are both shard ${shardName(shard)}`);
  }
  return [least, ...rest];
}

/**
 * The journal that the whole run would have left, entry by entry. Trials keep their rulings; the invariants of the run judge
 * the exchanges of all shards together, since some compare one with another. `gate` decides its outcome.
 */
export function mergeShards(
  shards: Shards,
  invariants: readonly Invariant[],
  gate: Pick<RunEntry, 'known' | 'failOn'> = {},
): readonly Entry[] {
  const begin = [{ ...mergedRun(shards), ...gate }, ...mergedTargetInfo(shards), ...sentAndJudged(shards)];
  const { run, record, info } = recordingOf(begin, 'the merged journal');
  const asked = new Set(run.invariants.map(({ id }) => id));
  const own = invariants.filter(({ id }) => asked.has(id));
  const judged = info === undefined ? [] : judgeInvariants(own, record, info);
  const ends = shards.map(({ recording }) => Date.parse(recording.run.startedAt) + durationIn(recording));
  const durationMs = Math.max(...ends) - Date.parse(run.startedAt);
  const cutShort = [...missing(shards), ...shards.flatMap(cutShortWith), ...changedModels(shards)];
  return [...begin, ...judged, { type: 'finished', durationMs, cutShort }];
}

function mergedRun(shards: Shards): RunEntry {
  const [{ run, shard }] = shards;
  const { shard: _, ...whole } = run;
  const { checks, caps } = shard;
  const startedAt = new Date(Math.min(...shards.map((each) => Date.parse(each.run.startedAt)))).toISOString();
  return { ...whole, startedAt, checks, caps, merged: shards.length };
}

/** A shard that sent no chat does not know how much output the target accepts. */
function mergedTargetInfo(shards: Shards): readonly Entry[] {
  const [{ shard }] = shards;
  const found = shards.flatMap(({ entries }) => entries.filter(({ type }) => type === 'survey'));
  const isFitted = (entry: Entry): boolean =>
    entry.type === 'survey' && entry.survey.outputTokens !== shard.caps.outputTokens;
  return [found.find(isFitted) ?? found[0]].filter((entry) => entry !== undefined);
}

function missing(shards: Shards): readonly string[] {
  const [{ shard }] = shards;
  const there = new Set(shards.map((each) => each.shard.index));
  const all = Array.from({ length: shard.count }, (_, i) => ({ index: i + 1, count: shard.count }));
  return all.filter(({ index }) => !there.has(index)).map((place) => `shard ${shardName(place)} is missing`);
}

function cutShortWith({ shard, recording }: Shard): readonly string[] {
  return cutShortIn(recording).map((reason) => `shard ${shardName(shard)}: ${reason}`);
}

/** When the target changed between shards, their results cannot be compared. */
function changedModels(shards: Shards): readonly string[] {
  const listed = shards.flatMap(({ shard, recording: { info } }) =>
    info === undefined
      ? []
      : [
          {
            shard,
            ids: info.models
              .map(({ id }) => id)
              .toSorted()
              .join('\n'),
          },
        ],
  );
  return listed
    .filter(({ ids }) => ids !== listed[0]?.ids)
    .map(({ shard }) => `shard ${shardName(shard)}: the target listed different models than before`);
}

/**
 * What the shards sent and judged. Several shards sent the preflight and the same counterparts: all but the first of
 * equal IDs get the number of their shard.
 */
function sentAndJudged(shards: Shards): readonly Entry[] {
  const taken = new Set<string>();
  let places = 0;
  return shards.flatMap(({ entries, recording, shard }) => {
    const before = new Set(taken);
    const first = places;
    const id = (own: string): string => (before.has(own) ? `${own}@${shard.index}` : own);
    for (const exchange of recording.record) taken.add(exchange.id);
    places += Math.max(-1, ...recording.trials.map(({ entry }) => entry.nth)) + 1;
    return entries.flatMap((entry) => moved(entry, id, first));
  });
}

/** Nothing for an entry about a whole run. */
function moved(entry: Entry, id: (own: string) => string, first: number): readonly Entry[] {
  if (entry.type === 'shown') return [entry];
  if (entry.type === 'sent' || entry.type === 'ended' || entry.type === 'withheld')
    return [{ ...entry, id: id(entry.id) }];
  if (entry.type !== 'trial') return [];
  const { nth, exchanges, control } = entry;
  const counterpart = control === undefined ? {} : { control: id(control) };
  return [{ ...entry, nth: first + nth, exchanges: exchanges.map(id), ...counterpart }];
}
