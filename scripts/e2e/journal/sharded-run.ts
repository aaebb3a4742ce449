import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordingOf } from '../../../suites/kit/journal/read-journal.ts';
import type { Entry } from '../../../suites/kit/model/journal.ts';
import type { RunOptions } from '../../../suites/kit/model/run.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { planOptionsOf } from '../../../suites/kit/planning/planned-stimuli.ts';
import { mergeShards } from '../../../suites/kit/recorded/merge-shards.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { shardsOfOneRun } from '../../../suites/kit/recorded/shards-of-one-run.ts';
import { splitRun } from '../../../suites/kit/sharding/split-run.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { readRun } from '../../cli/journal/journal-file.ts';
import { journalledRun } from '../support/journalled-run.ts';

/** The options of each shard of a run. */
export function shardsOf(options: RunOptions, count: number): readonly RunOptions[] {
  const { checks, caps } = options;
  return splitRun(planOptionsOf(options), count).map((share, i) => ({
    ...options,
    ...share,
    shard: { index: i + 1, count, release: '0.0.0', checks, caps },
  }));
}

/** Runs one shard after the other; returns their journals. */
export async function shardedRun(shards: readonly RunOptions[]): Promise<[string, ...string[]]> {
  const files: string[] = [];
  for (const shard of shards) files.push((await journalledRun(shard)).file);
  const [first = '', ...others] = files;
  return [first, ...others];
}

export interface Merged {
  readonly entries: readonly Entry[];
  readonly summary: Summary;
}

/** What the journals of shards come to. */
export function merged([first, ...others]: readonly [string, ...string[]]): Merged {
  const shards = shardsOfOneRun([readRun(first), ...others.map(readRun)]);
  const entries = [...mergeShards(shards, INVARIANTS)];
  const recording = recordingOf(entries, 'merged');
  return {
    entries,
    summary: summarise(recordedFindings(recording, INVARIANTS)),
  };
}
