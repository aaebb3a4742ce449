import { CHECKS } from '../../../suites/catalogue.ts';
import { isOwn } from '../../../suites/engine/model/check.ts';
import type { RecordedCriterion, RunEntry } from '../../../suites/engine/model/journal.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { terminalReport } from '../../../suites/engine/reports/terminal/terminal-report.ts';
import { type Findings, summarise } from '../../../suites/engine/summary/summarise.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { listedIn, withBaseline } from '../options/baseline-options.ts';
import type { JournalFlags } from '../options/command-tables.ts';
import { exitCodeOf, withFailOn } from '../options/fail-on.ts';
import { againCommand } from '../reports/again-command.ts';
import { saveReports } from '../reports/save-reports.ts';
import { EXIT } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';

/** What decides the outcome of a run beside its verdicts. */
export type Gate = Pick<RunEntry, 'known' | 'failOn'>;

/**
 * The gate of a run: what its journal says, unless `--baseline` names another baseline, and what `--fail-on` adds. `checks`
 * are those of the whole run.
 * @throws {FileError} When the baseline cannot be used.
 */
export async function gateOf(
  { known, failOn = [] }: Gate,
  checks: readonly RecordedCriterion[],
  flags: JournalFlags,
): Promise<Gate> {
  const { baseline } = flags;
  const all = [...CHECKS, ...checks.filter(isOwn), ...INVARIANTS];
  const listed = baseline === undefined ? known : await listedIn(baseline, all);
  return {
    ...(listed !== undefined && { known: listed }),
    failOn: [...new Set([...failOn, ...(flags.failOn ?? [])])],
  };
}

/** Makes every report of a recorded run. */
export function reportFindings(findings: Findings, gate: Gate, flags: JournalFlags): Promise<Reported> {
  return reportSummary(summarised(findings), gate, flags);
}

interface Reported {
  readonly summary: Summary;
  readonly code: number;
}

/** Makes every report of a summary; `code` is the exit code. */
export async function reportSummary(
  judged: Summary,
  { known, failOn }: Gate,
  { report, quiet = false }: JournalFlags,
): Promise<Reported> {
  const found = await withBaseline(judged, known);
  const summary = withFailOn(found, new Set(failOn));
  const text = terminalReport(summary, {
    styleText: styleTextFor('stdout'),
    detail: quiet ? 'failures' : 'everything',
  });
  const hasCurl = summary.checks.some(({ evidence }) => evidence.some(({ curl }) => curl !== ''));
  if (hasCurl)
    noteLine(
      `curl lines, if you run them, send the keys in the variables and files that they name to ${printable(summary.target.baseUrl)}`,
    );
  writeLine(text.trimEnd());
  const isSaved = report === undefined || (await saveReports(report, summary));
  const code = exitCodeOf(summary);
  return { summary, code: code === EXIT.conformant && !isSaved ? EXIT.incomplete : code };
}

/** The summary of a recorded run. Its `again` lines say no more than its target and its seed. */
function summarised(findings: Findings): Summary {
  const { target, seed } = findings;
  const where = target.kind === 'live' ? { baseUrl: target.baseUrl } : {};
  return summarise({ ...findings, again: printable(againCommand(where, seed)) });
}
