import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { learnProfile, profileText } from '../../../suites/engine/files/learn-profile.ts';
import { readProfile } from '../../../suites/engine/files/read-profile.ts';
import type { JsonReport } from '../../../suites/engine/model/summary.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import {
  compareReports,
  comparisonText,
  isWorse,
} from '../../../suites/engine/reports/compared/comparison.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { findConfiguration, resolveFlags } from '../config/resolve-flags.ts';
import type { DIFF_OPTIONS, LEARN_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import { invocation } from '../terminal/own-package.ts';
import { EXIT, UsageError, writeLine, noteLine } from '../terminal/terminal.ts';
import { saveFile } from '../terminal/write-file.ts';
import { JOURNAL, lastRunOf, pastRuns, REPORT_FILES, RUNS_FOLDER } from './report-folder.ts';

const [REPORT] = REPORT_FILES;

/** `chat-conformance diff A B`: which verdicts differ between two reports, or between two targets, and why; sets the exit code. */
export async function runDiffCommand(
  before: string | undefined,
  after: string | undefined,
  { json = false }: FlagsOf<typeof DIFF_OPTIONS>,
): Promise<void> {
  const [one, other] = compared(before, after);
  const places = [await placeOf(one), await placeOf(other)] as const;
  const [earlier, later] = [reportAt(places[0]), reportAt(places[1])];
  const comparison = compareReports(earlier, later);
  if (comparison.same + comparison.checks.length === 0)
    throw new UsageError(`${one} and ${other} have no check in common: there is nothing to compare`);
  noteLine(`before: ${reportLine(places[0], earlier)}`);
  noteLine(`after: ${reportLine(places[1], later)}`);
  writeLine(
    json ? JSON.stringify(comparison, undefined, 2) : comparisonText(comparison, styleTextFor('stdout')),
  );
  process.exitCode = isWorse(comparison) ? EXIT.violations : EXIT.conformant;
}

/** Which report that is. */
function reportLine(place: string, { target, startedAt, checks }: JsonReport): string {
  const name = target.name ?? target.baseUrl;
  return printable(`${place} (${startedAt}, ${name}, ${counted(checks.length, 'check')})`);
}

/** Where a report is: at a path, or, of a target that is named, in the folder of its latest run. */
async function placeOf(said: string): Promise<string> {
  const configuration = findConfiguration(process.cwd(), process.env['CHAT_CONFIG']);
  if (configuration === undefined || existsSync(said) || !/^[\w.-]+$/.test(said)) return said;
  const run = lastRunOf(await resolveFlags({ target: said }));
  if (run !== undefined) return run;
  throw new UsageError(
    `the target ${said} has no report here: ${invocation()} --target ${said} creates one; with --report DIR, name its folder`,
  );
}

/** A killed run leaves a journal, and no report. */
function reportAt(path: string): JsonReport {
  if (existsSync(join(path, JOURNAL)) && !existsSync(join(path, REPORT)))
    throw new UsageError(
      `${path} has no ${REPORT}: ${invocation()} report ${shellWord(path)} --report ${shellWord(path)} writes it from the journal`,
    );
  return readReport(path);
}

/** The two reports that are meant. */
function compared(before: string | undefined, after: string | undefined): readonly [string, string] {
  if (before !== undefined && after !== undefined) return [before, after];
  if (before !== undefined)
    throw new UsageError(`diff needs a second report besides ${before}, or none at all`);
  const [latest, ...others] = pastRuns();
  const earlier = others.find(({ baseUrl }) => baseUrl === latest?.baseUrl);
  if (latest !== undefined && earlier !== undefined) return [earlier.folder, latest.folder];
  throw new UsageError(`there are no two runs of one target in ${RUNS_FOLDER}: name two reports`);
}

/**
 * `chat-conformance profile learn REPORT`: what was observed, as a profile; sends nothing. A file that is there
 * already keeps everything but its pins.
 */
export function runLearnCommand(path: string, { write }: FlagsOf<typeof LEARN_OPTIONS>): void {
  const report = readReport(path);
  if (report.notBegun !== undefined)
    throw new UsageError(`${path}: the run could not begin, so it observed nothing to learn`);
  const before = write !== undefined && existsSync(write) ? readProfile(write) : {};
  const learned = learnProfile(report, before);
  for (const note of learned.notes) noteLine(note);
  if (write === undefined) return writeLine(profileText(learned).trimEnd());
  saveFile(write, profileText(learned));
}
