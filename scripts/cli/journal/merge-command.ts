import { join, resolve } from 'node:path';
import { recordingOf } from '../../../suites/engine/journal/recording.ts';
import { journalLine } from '../../../suites/engine/journal/write-journal.ts';
import { judgedThen } from '../../../suites/engine/running/recorded/rejudge.ts';
import { mergeShards } from '../../../suites/engine/running/recorded/shards.ts';
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
 * @throws {UsageError} When the journals are not of one run, or the merged one would take the place of one of them.
 */
export async function runMergeCommand(
  [first, ...others]: readonly [string, ...string[]],
  flags: JournalFlags,
): Promise<void> {
  const shards = [readRun(first), ...others.map(readRun)] as const;
  const { run } = shards[0].recording;
  const gate = await gateOf(run, run.shard?.checks ?? [], flags);
  const entries = mergeShards(shards, INVARIANTS, gate);
  const folder = flags.report;
  if (folder !== undefined) {
    const file = join(folder, JOURNAL);
    if (shards.some((each) => resolve(each.file) === resolve(file)))
      throw new UsageError(`--report ${folder} is the folder of a shard: name another for the whole run`);
    prepareReportFolder(folder);
    setAsideJournal(file, noteLine);
    writeWhole(file, entries.map(journalLine));
  }
  const recording = judgedThen(recordingOf(entries, 'the merged journal'), INVARIANTS);
  process.exitCode = await reportFindings(recording, gate, { ...flags, annotates: true });
}
