import { isDeepStrictEqual } from 'node:util';
import { targetInfoEntry } from '../journal/entries.ts';
import { type Recording, recordingOf } from '../journal/recording.ts';
import type { Invariant } from '../model/check.ts';
import type { Entry, RunEntry } from '../model/entry-schema.ts';
import { shardName } from '../model/run.ts';
import { cutShortIn, durationIn, summarise } from '../summary/summarise.ts';
import { FileError } from '../text/read-json-file.ts';
import { judgeInvariants } from './judge-invariants.ts';
import { judgedThen } from './rejudge.ts';

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

/**
 * The journal that the whole run would have left, entry by entry, from those of its shards, of which some may be missing.
 * Trials keep their rulings; the invariants of the run judge the exchanges of all shards together, since some compare one
 * with another. `gate` decides its outcome.
 * @throws {FileError} Given a whole run, or shards of different runs: one line that names the files and how they differ.
 */
export function mergeShards(
  [one, ...more]: readonly [ReadRun, ...ReadRun[]],
  invariants: readonly Invariant[],
  gate: Pick<RunEntry, 'known' | 'failOn'> = {},
): readonly Entry[] {
  const first = asShard(one);
  const shards = [first, ...more.map(asShard)].toSorted((a, b) => a.shard.index - b.shard.index);
  for (const [i, shard] of shards.entries()) requireOfOneRun(shard, first, shards[i - 1]);
  const beginnings = shards.map(({ run }) => Date.parse(run.startedAt));
  const beganAt = Math.min(...beginnings);
  const ends = shards.map(({ recording }, i) => (beginnings[i] ?? 0) + durationIn(recording));
  const { shard: _, ...own } = first.run;
  const { checks, caps } = first.shard;
  const startedAt = new Date(beganAt).toISOString();
  const begin: readonly Entry[] = [
    { ...own, startedAt, checks, caps, merged: shards.length, ...gate },
    ...targetInfoOf(shards),
    ...sentAndJudged(shards),
  ];
  const { record, info } = recordingOf(begin, 'the merged journal');
  const asked = new Set(own.invariants.map(({ id }) => id));
  const judges = invariants.filter(({ id }) => asked.has(id));
  const judged = info === undefined ? [] : judgeInvariants(judges, record, info);
  const cutShort = [...missing(first, shards), ...cutShortWith(shards, invariants), ...changedModels(shards)];
  return [...begin, ...judged, { type: 'finished', durationMs: Math.max(...ends) - beganAt, cutShort }];
}

function asShard(read: ReadRun): Shard {
  const { run } = read.recording;
  if (run.shard !== undefined) return { ...read, run, shard: run.shard };
  const what = run.merged === undefined ? 'a whole run, made without --shard' : 'already merged';
  throw new FileError(`${read.file} is not a shard: it is ${what}`);
}

function requireOfOneRun(shard: Shard, first: Shard, before: Shard | undefined): void {
  const common = commonIn(first);
  const differing = Object.entries(commonIn(shard)).find(
    ([name, value]) => !isDeepStrictEqual(value, common[name]),
  );
  if (differing !== undefined)
    throw new FileError(
      `${shard.file} and ${first.file} are shards of different runs: they differ in ${differing[0]}`,
    );
  if (before?.shard.index === shard.shard.index)
    throw new FileError(`${before.file} and ${shard.file} are both shard ${shardName(shard.shard)}`);
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

/** A shard that sent no chat does not know that the target accepts less output than the cap. */
function targetInfoOf(shards: readonly Shard[]): readonly Entry[] {
  const found = shards.flatMap(({ recording: { info } }) => info ?? []);
  const [fitted] = found.toSorted((one, other) => one.outputTokens - other.outputTokens);
  return fitted === undefined ? [] : [targetInfoEntry(fitted)];
}

function missing({ shard: { count } }: Shard, shards: readonly Shard[]): readonly string[] {
  const there = new Set(shards.map(({ shard }) => shard.index));
  const all = Array.from({ length: count }, (_, i) => ({ index: i + 1, count }));
  return all.filter(({ index }) => !there.has(index)).map((place) => `shard ${shardName(place)} is missing`);
}

/** A shard whose own report takes its cap for a warning has cut short nothing; where none has, the whole run tells so itself. */
function cutShortWith(shards: readonly Shard[], invariants: readonly Invariant[]): readonly string[] {
  const named = (reasonsOf: (recording: Recording) => readonly string[]): readonly string[] =>
    shards.flatMap(({ shard, recording }) =>
      reasonsOf(recording).map((reason) => `shard ${shardName(shard)}: ${reason}`),
    );
  const reported = named((recording) => summarise(judgedThen(recording, invariants)).cutShort);
  return reported.length > 0 ? reported : named(cutShortIn);
}

/** When the target changed between shards, their results cannot be compared. */
function changedModels(shards: readonly Shard[]): readonly string[] {
  const listed = shards.flatMap(({ shard, recording: { info } }) =>
    info === undefined ? [] : [{ shard, ids: info.models.map(({ id }) => id).toSorted() }],
  );
  return listed
    .filter(({ ids }) => !isDeepStrictEqual(ids, listed[0]?.ids))
    .map(({ shard }) => `shard ${shardName(shard)}: the target listed different models than before`);
}

const SENT: ReadonlySet<Entry['type']> = new Set(['sent', 'ended', 'withheld', 'shown']);

/** What the shards sent and judged, one after the other. What all of them send has the number of the shard in its ID. */
function sentAndJudged(shards: readonly Shard[]): readonly Entry[] {
  let places = 0;
  return shards.flatMap(({ entries, recording: { trials } }) => {
    const first = places;
    places += 1 + Math.max(0, ...trials.map(({ entry }) => entry.nth));
    return entries.flatMap((entry) => {
      if (entry.type === 'trial') return { ...entry, nth: first + entry.nth };
      return SENT.has(entry.type) ? entry : [];
    });
  });
}
