import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Recording, recordingOf, runOf } from '../../../suites/engine/journal/recording.ts';
import { isOwn } from '../../../suites/engine/model/check.ts';
import { judgedThen, rejudge } from '../../../suites/engine/running/recorded/rejudge.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { ReportFlags } from '../options/command-tables.ts';
import { latestRun } from '../reports/run-folders.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { EXIT, UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { prepareFile } from '../terminal/write-file.ts';
import { linesAt } from './journal-file.ts';
import { gateOf, reportFindings, reportSummary } from './report-findings.ts';

/**
 * `chat-conformance report`: makes every report of a run from its journal, without a request: with the verdicts as they
 * were, or with those of this release, and then says which changed.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runReportCommand(path: string | undefined, flags: ReportFlags): Promise<void> {
  const { checks: modules, rejudge: isJudgedAgain, har, report } = flags;
  if (modules !== undefined && isJudgedAgain !== true)
    throw new UsageError('--checks requires --rejudge: without it nothing is judged');
  const lines = linesAt(path ?? latestRun());
  const { file } = lines;
  const run = runOf(lines, file);
  const gate = await gateOf(run, run.checks, flags);
  if (har !== undefined) await writeHar(recordingOf(lines, file), har);
  if (report !== undefined) prepareReportFolder(report);
  if (run.target.passing === true) {
    // The journal of a proxy has no verdicts: it is judged as the proxy judges.
    const { journalSummary } = await import('../../proxy/observer.ts');
    process.exitCode = await reportSummary(await journalSummary(lines), gate, flags);
    return;
  }
  const recording = { ...recordingOf(lines, file), run: { ...run, ...gate } };
  const then = judgedThen(recording, INVARIANTS);
  const now = isJudgedAgain === true ? await judgedAgain(recording, flags) : then;
  // The folder of a journal may have the page of the run too.
  const keptIn = existsSync(join(dirname(file), 'report.html')) ? dirname(file) : null;
  const code = await reportFindings(now, gate, { ...flags, keptIn });
  process.exitCode = recording.finished?.interrupted === true ? EXIT.interrupted : code;
  if (now !== then) noteChanges(then, now);
}

async function writeHar(recording: Recording, file: string): Promise<void> {
  prepareFile(file);
  const { exportHar } = await import('./export-har.ts');
  exportHar(recording, file);
  noteLine(`wrote ${file}`);
}

/** Checks of the user's own are judged only where their module is named. */
async function judgedAgain(recording: Recording, flags: ReportFlags): Promise<Recording> {
  const { checks } = await catalogueOf(flags);
  const known = new Set(checks.map(({ id }) => id));
  const gone = recording.run.checks.filter((each) => isOwn(each) && !known.has(each.id));
  if (gone.length > 0)
    noteLine(`Not judged again without --checks FILE: ${gone.map(({ id }) => id).join(' ')}`);
  return rejudge(recording, checks, INVARIANTS);
}

function noteChanges(before: Recording, now: Recording): void {
  const old = new Map(summarise(before).checks.map((result) => [result.id, result]));
  const changed = summarise(now).checks.flatMap(({ id, verdict, reason }) => {
    const then = old.get(id)?.verdict ?? verdict;
    const because = reason === '' ? '' : `: ${printable(reason)}`;
    return then === verdict ? [] : [`Changed: ${id} was ${then}, and is ${verdict} now${because}`];
  });
  for (const line of changed.length > 0 ? changed : ['No verdict changed']) noteLine(line);
}
