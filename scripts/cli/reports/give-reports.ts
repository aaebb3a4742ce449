import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { applyBaseline } from '../../../suites/engine/files/apply-baseline.ts';
import type { KnownFailure } from '../../../suites/engine/model/entry-schema.ts';
import type { PastRun, Summary } from '../../../suites/engine/model/summary.ts';
import { annotations } from '../../../suites/engine/reports/annotations.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { isWarning } from '../../../suites/engine/reports/display-verdict.ts';
import { pastRunOf, type ReportContext } from '../../../suites/engine/reports/history.ts';
import { markdownReport } from '../../../suites/engine/reports/markdown-report.ts';
import { terminalReport } from '../../../suites/engine/reports/terminal-report.ts';
import { isJob } from '../../../suites/engine/text/printable.ts';
import { errorCode, FileError, readText } from '../../../suites/engine/text/read-json-file.ts';
import type { Stricter } from '../options/check-table.ts';
import { packageVersion } from '../terminal/own-package.ts';
import { EXIT, noteLine, writeCommands, writeLine } from '../terminal/terminal.ts';
import { writeWhole } from '../terminal/write-file.ts';
import { REPORT_FILES, withRun } from './report-folder.ts';

/** The clauses that bind what was judged, that there are checks for, and that this run has no answer to. */
function unanswered({ clauses, target }: Summary): readonly string[] {
  const bound = target.kind === 'caller' ? 'caller' : 'service';
  const open = clauses.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  return open.map(({ id }) => id).filter((id) => CLAUSES[id].bound === bound);
}

/** What a run may fail on beside violations; `inconclusive`: something spoke for a check, and something against it. */
const FOUND: Readonly<Record<Stricter, (summary: Summary) => readonly string[]>> = {
  warn: ({ checks }) => checks.filter(isWarning).map(({ id }) => id),
  'not-exercised': unanswered,
  inconclusive: ({ checks }) => checks.flatMap(({ id, verdict }) => (verdict === 'inconclusive' ? id : [])),
};

/** The summary of a run that fails on more than violations, where it was told to: a line for each kind, with the IDs. */
export function withFailOn(summary: Summary, failOn: readonly Stricter[] = []): Summary {
  const failedOn = [...new Set(failOn)].flatMap((kind) => {
    const ids = FOUND[kind](summary);
    return ids.length === 0 ? [] : [`Failed on ${kind}: ${ids.join(' ')}`];
  });
  if (summary.notBegun !== undefined || failedOn.length === 0) return summary;
  return { ...summary, outcome: 'violations', failedOn };
}

/** The exit code of a finished run. */
export function exitCodeOf({ outcome, notBegun }: Summary): number {
  return notBegun === undefined ? EXIT[outcome] : EXIT.unreachable;
}

/** What the reports of a check say beside its summary. */
export interface ReportPlaces {
  readonly sourceFile?: string | undefined;
  /** The file of past runs, and how it calls the target. */
  readonly history?: { readonly file: string; readonly of: Pick<PastRun, 'target' | 'part'> } | undefined;
}

export interface Reporting extends Omit<Parameters<typeof terminalReport>[1], 'styleText' | 'detail'> {
  /** The folder of the files; absent: none are written. */
  readonly report?: string | undefined;
  /** Whether only problems are printed. */
  readonly quiet?: boolean | undefined;
  /** Whether a job of GitHub Actions gets annotations and a summary. */
  readonly annotates?: boolean;
  /** What decides the outcome beside the verdicts. */
  readonly known?: readonly KnownFailure[] | undefined;
  readonly failOn?: readonly Stricter[] | undefined;
  readonly places?: ReportPlaces;
}

/** Gives every report of a run: prints it, and writes its files. Returns the exit code, and the summary with its outcome. */
export async function giveReports(judged: Summary, options: Reporting) {
  const { report, quiet = false, annotates = false, known, failOn, places, ...shown } = options;
  const summary = withFailOn(applyBaseline(judged, known), failOn);
  const detail = quiet ? 'failures' : 'everything';
  writeLine(terminalReport(summary, { ...shown, detail, styleText: styleTextFor('stdout') }).trimEnd());
  const isSaved = await keepReports(summary, report, places, annotates);
  const code = exitCodeOf(summary);
  return { code: code === EXIT.conformant && !isSaved ? EXIT.incomplete : code, summary };
}

/**
 * Gives every report but the printed one: the summary of a job, and files, of which one is the history of the target. Returns
 * whether all were written.
 */
export async function keepReports(
  summary: Summary,
  report: string | undefined,
  { sourceFile = 'README.md', history }: ReportPlaces = {},
  annotates = true,
): Promise<boolean> {
  const release = packageVersion();
  const past = history && withRun(history.file, pastRunOf(summary, { ...history.of, release }));
  const runs = (await past?.catch(() => undefined))?.runs ?? [];
  const context: ReportContext = { release, sourceFile, runs };
  if (annotates && isJob(process.env)) {
    writeCommands(annotations(summary));
    addToJobPage(markdownReport(summary, context, report === undefined ? '' : 'report.html'));
  }
  const files = new Map<string, () => Promise<string>>();
  for (const name of report === undefined ? [] : REPORT_FILES)
    files.set(join(`${report}`, name), async () => (await MAKERS[name]())(summary, context));
  if (history && past) files.set(history.file, async () => (await past).text);
  return saveAll(files, report);
}

const codeHosts = () => import('../../../suites/engine/reports/code-hosts/code-host-reports.ts');

/** What makes the files of a report folder, each loaded only when it is needed. */
const MAKERS: Readonly<
  Record<(typeof REPORT_FILES)[number], () => Promise<(summary: Summary, context: ReportContext) => string>>
> = {
  'report.json': async () => (await import('../../../suites/engine/reports/json-report.ts')).jsonReport,
  'junit.xml': async () => (await import('../../../suites/engine/reports/junit-report.ts')).junitReport,
  'summary.md': async () => markdownReport,
  'report.html': async () => (await import('../../../suites/engine/reports/html-report.ts')).htmlReport,
  'report.sarif': async () => (await codeHosts()).sarifReport,
  'gl-code-quality-report.json': async () => (await codeHosts()).codeQualityReport,
};

/** Writes files, each atomically, and says which, and what is wrong with the others. */
async function saveAll(files: ReadonlyMap<string, () => Promise<string>>, folder: string | undefined) {
  const written: string[] = [];
  const problems = new Set<string>();
  for (const [file, make] of files) {
    const isInFolder = folder !== undefined && resolve(dirname(file)) === resolve(folder);
    try {
      writeWhole(file, await make());
      if (isInFolder) written.push(basename(file));
    } catch (error) {
      const isOfSystem = error instanceof Error && 'syscall' in error;
      const what = isInFolder ? `the reports to ${folder}` : file;
      const internal = `${basename(file)} could not be made: internal error: ${String(error)}`;
      const problem = isOfSystem ? `cannot write ${what} (${errorCode(error)})` : internal;
      problems.add(error instanceof FileError ? error.message : problem);
    }
  }
  if (written.length > 0) noteLine(`Written to ${folder}: ${written.join(' ')}`);
  for (const problem of problems) noteLine(`error: ${problem}`);
  return problems.size === 0;
}

/** Adds Markdown to the page of a job of GitHub Actions, at its end or `first`; elsewhere does nothing. */
export function addToJobPage(markdown: string, place?: 'first'): void {
  const file = process.env['GITHUB_STEP_SUMMARY'];
  if (!isJob(process.env) || file === undefined || file === '') return;
  try {
    const before = place === 'first' && existsSync(file) ? readText(file) : '';
    if (before === '') appendFileSync(file, `${markdown}\n`);
    else writeFileSync(file, `${markdown}\n${before}`);
  } catch {
    noteLine(`cannot write the job summary: ${file}`);
  }
}
