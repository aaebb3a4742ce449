import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKS, INVARIANTS } from '../../../suites/catalogue.ts';
import { readBaseline } from '../../../suites/engine/files/read-baseline.ts';
import { JournalLines } from '../../../suites/engine/journal/read-journal.ts';
import { type Recording, recordingOf, runOf } from '../../../suites/engine/journal/recording.ts';
import { isOwn } from '../../../suites/engine/model/check.ts';
import type { RunEntry } from '../../../suites/engine/model/entry-schema.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { compareReports, comparisonText } from '../../../suites/engine/reports/compared/comparison.ts';
import { judgedThen, rejudge } from '../../../suites/engine/running/rejudge.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { catalogueOf } from '../modules/catalogue.ts';
import type { ReportFlags } from '../options/command-tables.ts';
import { EXIT, noteLine, UsageError } from '../terminal/terminal.ts';
import { againCommand } from './again-command.ts';
import { giveReports, type Reporting } from './give-reports.ts';
import { JOURNAL, makeReportFolder, recentRuns, RUNS_FOLDER } from './report-folder.ts';

/**
 * `chat-conformance report`: makes every report of a run from its journal, without a request: with the verdicts as they
 * were, or with those of this release, and then says which changed.
 */
export async function runReportCommand(path: string | undefined, flags: ReportFlags): Promise<void> {
  const { checks: modules, rejudge: isJudgedAgain = false, report } = flags;
  if (modules !== undefined && !isJudgedAgain)
    throw new UsageError('--checks requires --rejudge: without it nothing is judged');
  const [latest] = path === undefined ? recentRuns() : [path];
  if (latest === undefined)
    throw new UsageError(`there is no run in ${RUNS_FOLDER}: name a journal or a report folder`);
  const lines = linesAt(latest);
  const { file } = lines;
  const run = runOf(lines, file);
  const gate = gateOf(run, flags);
  if (report !== undefined) makeReportFolder(report);
  if (run.target.passing === true) {
    // The journal of a proxy has no verdicts: it is judged as the proxy judges.
    const { journalSummary } = await import('../../proxy/observer.ts');
    process.exitCode = await reportJournal(await journalSummary(lines), { ...flags, ...gate });
    return;
  }
  const recording = { ...recordingOf(lines, file), run: { ...run, ...gate } };
  const then = judgedThen(recording, INVARIANTS);
  const now = isJudgedAgain ? await judgedAgain(recording, flags) : then;
  // The `again` lines say no more than the target and the seed.
  const where = run.target.kind === 'live' ? { baseUrl: run.target.baseUrl } : {};
  const summary = summarise(now, printable(againCommand(where, run.seed)));
  const code = await reportJournal(summary, { ...flags, ...gate });
  process.exitCode = recording.finished?.interrupted === true ? EXIT.interrupted : code;
  if (now === then) return;
  const comparison = compareReports(summarise(then), summarise(now));
  noteLine(comparisonText(comparison, styleTextFor('stderr')));
}

/** The gate of a run: what its journal says, unless `--baseline` names another baseline, and what `--fail-on` adds. */
function gateOf(run: RunEntry, { baseline, failOn = [] }: ReportFlags): Pick<RunEntry, 'known' | 'failOn'> {
  const own = run.checks.filter(isOwn);
  const known =
    baseline === undefined ? run.known : readBaseline(baseline, [...CHECKS, ...own, ...INVARIANTS]);
  return { ...(known !== undefined && { known }), failOn: [...(run.failOn ?? []), ...failOn] };
}

/** Gives every report, and returns the exit code. */
async function reportJournal(summary: Summary, options: Reporting): Promise<number> {
  if (summary.checks.some(({ evidence }) => evidence.some(({ curl }) => curl !== '')))
    noteLine(
      `if you run the curl lines, they send the keys from the variables and files that they name to ${printable(summary.target.baseUrl)}`,
    );
  return (await giveReports(summary, options)).code;
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

/** The lines of the journal that a path stands for: a journal, or a report folder. Says so where the last line is incomplete. */
function linesAt(path: string): JournalLines {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no ${path}`);
  const file = stat.isDirectory() ? join(path, JOURNAL) : path;
  if (!existsSync(file)) throw new UsageError(`${path} holds no ${JOURNAL}`);
  const lines = new JournalLines(file);
  if (lines.isTruncated) noteLine(`${file}: ignored the last line, which is incomplete`);
  return lines;
}
