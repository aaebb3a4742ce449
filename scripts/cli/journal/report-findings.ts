import { CHECKS } from '../../../suites/catalogue.ts';
import { applyBaseline } from '../../../suites/engine/files/apply-baseline.ts';
import type { Recording } from '../../../suites/engine/journal/recording.ts';
import { isOwn } from '../../../suites/engine/model/check.ts';
import type { RecordedCriterion, RunEntry } from '../../../suites/engine/model/entry-schema.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import type { JournalFlags } from '../options/command-tables.ts';
import { withFailOn } from '../options/fail-on.ts';
import { againCommand } from '../reports/again-command.ts';
import { giveReports, type Reporting } from '../reports/save-reports.ts';
import { noteLine } from '../terminal/output.ts';

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
  const gate = { ...(known !== undefined && { known }), failOn: [...failOn, ...(flags.failOn ?? [])] };
  if (baseline === undefined) return gate;
  const { readBaseline } = await import('../../../suites/engine/files/read-baseline.ts');
  return { ...gate, known: readBaseline(baseline, all) };
}

/** Gives every report of a recorded run; returns the exit code. */
export function reportFindings(
  recording: Recording,
  gate: Gate,
  flags: JournalFlags & Pick<Reporting, 'annotates' | 'keptIn'>,
): Promise<number> {
  return reportSummary(summarised(recording), gate, flags);
}

/** Likewise of a summary. */
export async function reportSummary(
  judged: Summary,
  { known, failOn }: Gate,
  { report, quiet, annotates = false, keptIn }: JournalFlags & Pick<Reporting, 'annotates' | 'keptIn'>,
): Promise<number> {
  const summary = withFailOn(applyBaseline(judged, known), failOn);
  const hasCurl = summary.checks.some(({ evidence }) => evidence.some(({ curl }) => curl !== ''));
  if (hasCurl)
    noteLine(
      `curl lines, if you run them, send the keys in the variables and files that they name to ${printable(summary.target.baseUrl)}`,
    );
  return giveReports(summary, { report, quiet, annotates, keptIn });
}

/** The summary of a recorded run. Its `again` lines say no more than its target and its seed. */
function summarised(recording: Recording): Summary {
  const { target, seed } = recording.run;
  const where = target.kind === 'live' ? { baseUrl: target.baseUrl } : {};
  return summarise(recording, printable(againCommand(where, seed)));
}
