import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import type { JournalFlags } from '../options/journal-flags.ts';
import { readRun } from './journal-file.ts';
import { showRecorded } from './show-recorded.ts';

/**
 * `chat-conformance report`: makes every report of a run from its journal, with the verdicts as they were.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runReportCommand(path: string, flags: JournalFlags): Promise<void> {
  const found = readRun(path);
  const asked = new Set(found.recording.run.invariants.map(({ id }) => id));
  const invariants = INVARIANTS.filter(({ id }) => asked.has(id));
  process.exitCode = await showRecorded(found, recordedFindings(found.recording, invariants), flags);
}
