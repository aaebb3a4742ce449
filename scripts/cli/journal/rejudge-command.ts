import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { printable } from '../../../suites/kit/evidence/printable.ts';
import { type Findings, summarise } from '../../../suites/kit/summary/summarise.ts';
import type { CheckResult } from '../../../suites/kit/model/summary.ts';
import type { JournalFlags } from '../options/journal-flags.ts';
import { readRun } from './journal-file.ts';
import { showRecorded } from './show-recorded.ts';
import { noteLine } from '../terminal/write-line.ts';

function changeLine(now: CheckResult, before: CheckResult | undefined): string[] {
  const { id, verdict, reason } = now;
  if (before === undefined || before.verdict === verdict) return [];
  const because = reason === '' ? '' : `: ${printable(reason)}`;
  return [`Changed: ${id} was ${before.verdict}, and is ${verdict} now${because}`];
}

function noteChanges(before: Findings, now: Findings): void {
  const old = new Map(summarise(before).checks.map((result) => [result.id, result]));
  const lines = summarise(now).checks.flatMap((result) => changeLine(result, old.get(result.id)));
  for (const line of lines.length > 0 ? lines : ['No verdict changed']) noteLine(line);
}

/**
 * `chat-conformance rejudge`: puts what an old run saw before the checks of this release, without a request, and says
 * which verdicts changed.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runRejudgeCommand(path: string, flags: JournalFlags): Promise<void> {
  const found = readRun(path);
  const now = rejudge(found.recording, CHECKS, INVARIANTS);
  process.exitCode = await showRecorded(found, now, flags);
  noteChanges(recordedFindings(found.recording, INVARIANTS), now);
}
