import { join, resolve } from 'node:path';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordingOf } from '../../../suites/kit/journal/read-journal.ts';
import { isOwn } from '../../../suites/kit/model/check.ts';
import type { Entry } from '../../../suites/kit/model/journal.ts';
import { mergeShards } from '../../../suites/kit/recorded/merge-shards.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import {
  shardsOfOneRun,
  shardJournal,
  type ShardJournal,
} from '../../../suites/kit/recorded/shards-of-one-run.ts';
import { withBaseline, resolveBaselineOptions } from '../options/baseline-options.ts';
import type { JournalFlags } from '../options/check-flags.ts';
import { withFailOn } from '../options/fail-on.ts';
import { writeJobSummary, prepareReportFolder } from '../reports/save-reports.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { writeWhole } from '../terminal/write-file.ts';
import { journalAt, readable } from './journal-file.ts';
import { JOURNAL, setAsideJournal } from './keep-journal.ts';
import { noteTruncated, showSummary, summariseRecorded } from './recorded-commands.ts';

export interface MergeFlags extends JournalFlags {
  readonly baseline?: string;
}

function shardAt(path: string): ShardJournal {
  return shardJournal(journalAt(path));
}

/** @throws {UsageError} When the merged journal would take the place of one of those it is made of. */
async function writeJournal(
  folder: string,
  shards: readonly ShardJournal[],
  lines: Iterable<Entry>,
): Promise<void> {
  const file = join(folder, JOURNAL);
  const own = shards.find((shard) => resolve(shard.file) === resolve(file));
  if (own !== undefined)
    throw new UsageError(`--report ${folder} is the folder of a shard: name another for the whole run`);
  prepareReportFolder(folder);
  const note = await setAsideJournal(file);
  if (note !== undefined) noteLine(note);
  writeWhole(file, texts(lines));
}

function* texts(lines: Iterable<Entry>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

/**
 * `chat-conformance merge`: joins the journals of all shards to that of the whole run, reports it, and sets the exit code.
 * @throws {UsageError} When the journals are not of one run.
 */
export async function runMergeCommand(
  [first, ...others]: readonly [string, ...string[]],
  flags: MergeFlags,
): Promise<void> {
  const shards = readable(() => shardsOfOneRun([shardAt(first), ...others.map(shardAt)]));
  const own = shards.flatMap(({ recording: { run } }) => run.checks.filter(isOwn));
  const baseline = await resolveBaselineOptions(flags, {
    checks: [...CHECKS, ...own],
    invariants: INVARIANTS,
  });
  for (const { file, lines } of shards) if (lines.isTruncated) noteTruncated(file);
  const lines = mergeShards(shards, INVARIANTS);
  if (flags.report !== undefined) await writeJournal(flags.report, shards, lines);
  const whole = recordingOf(lines, 'the merged journal');
  const findings = { ...recordedFindings(whole, INVARIANTS), known: baseline.known?.checks };
  const found = await withBaseline(summariseRecorded(findings), baseline, new Date());
  const summary = withFailOn(found, new Set(flags.failOn));
  process.exitCode = await showSummary(summary, flags);
  writeJobSummary(summary, process.env);
}
