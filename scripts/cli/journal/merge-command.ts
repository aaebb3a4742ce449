import { join, resolve } from 'node:path';
import { journalLine } from '../../../suites/engine/journal/journal-line.ts';
import { recordingOf } from '../../../suites/engine/journal/read-journal.ts';
import type { Entry } from '../../../suites/engine/model/journal.ts';
import { recordedFindings } from '../../../suites/engine/running/recorded/recorded-findings.ts';
import { mergeShards, shardsOfOneRun, type Shards } from '../../../suites/engine/running/recorded/shards.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { JournalFlags } from '../options/command-tables.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { writeWhole } from '../terminal/write-file.ts';
import { readRun } from './journal-file.ts';
import { JOURNAL, setAsideJournal } from './keep-journal.ts';
import { gateOf, reportFindings } from './report-findings.ts';

/**
 * `chat-conformance merge`: joins the journals of all shards to that of the whole run, reports it, and sets the exit code.
 * @throws {UsageError} When the journals are not of one run.
 */
export async function runMergeCommand(
  [first, ...others]: readonly [string, ...string[]],
  flags: JournalFlags,
): Promise<void> {
  const shards = shardsOfOneRun([readRun(first), ...others.map(readRun)]);
  const [{ recording, shard }] = shards;
  const gate = await gateOf(recording.run, shard.checks, flags);
  const lines = mergeShards(shards, INVARIANTS, gate);
  if (flags.report !== undefined) await writeJournal(flags.report, shards, lines);
  const findings = recordedFindings(recordingOf(lines, 'the merged journal'), INVARIANTS);
  process.exitCode = await reportFindings(findings, gate, { ...flags, annotates: true });
}

/** @throws {UsageError} When the merged journal would take the place of one of those it is made of. */
async function writeJournal(folder: string, shards: Shards, lines: readonly Entry[]): Promise<void> {
  const file = join(folder, JOURNAL);
  if (shards.some((shard) => resolve(shard.lines.file) === resolve(file)))
    throw new UsageError(`--report ${folder} is the folder of a shard: name another for the whole run`);
  prepareReportFolder(folder);
  const note = setAsideJournal(file);
  if (note !== undefined) noteLine(note);
  writeWhole(file, lines.map(journalLine));
}
