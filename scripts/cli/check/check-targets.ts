import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { clauseMatrix, type RunOfTarget } from '../../../suites/engine/reports/compared/matrix.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { LARGEST_SEED } from '../options/kinds.ts';
import { resolveTarget } from '../options/target-options.ts';
import { addToJobPage } from '../reports/give-reports.ts';
import { RUNS_FOLDER } from '../reports/report-folder.ts';
import { commandFailure, EXIT, interruptible, writeHeading, writeLine } from '../terminal/terminal.ts';
import { saveFile } from '../terminal/write-file.ts';
import { FINISHING, prepareCheck, type PreparedCheck, printPlan, runPrepared } from './check-command.ts';
import { readMemory } from './memory.ts';
import { fillPort } from './start-service.ts';

/** The exit code of several runs is the worst of theirs. */
const WORST_LAST = (
  ['conformant', 'incomplete', 'unreachable', 'violations', 'usage', 'interrupted'] as const
).map((end): number => EXIT[end]);

/**
 * `chat-conformance --target A,B`: checks one target after the other, since they may share a rate limit and credits, and shows
 * their clauses side by side.
 * @throws {UsageError | FileError} Before anything is sent or started.
 */
export async function checkTargets(targets: readonly ResolvedFlags[]): Promise<void> {
  // A key that is missing is found before the first folder is made.
  for (const flags of targets) await resolveTarget(fillPort(flags));
  const seed = randomInt(LARGEST_SEED);
  const checks: PreparedCheck[] = [];
  // All draw the same inputs, and each has a folder of its own.
  for (const each of targets) {
    const folder = sharedFolder(each);
    const report = folder === undefined ? each.report : join(folder, `${each.target}`);
    const flags = { seed, ...each, ...(report !== undefined && { report }) };
    checks.push(await prepareCheck(flags, await readMemory(flags)));
  }
  const headings = checks.map(({ flags }, i) => `— ${flags.target}, ${i + 1} of ${checks.length} —`);
  if (checks.some(({ flags }) => flags.plan === true))
    return checks.forEach((check, i) => {
      writeLine(`${headings[i]}`);
      printPlan(check);
    });
  await interruptible(FINISHING, async (signal) => {
    const runs: RunOfTarget[] = [];
    const codes: number[] = [];
    for (const [i, check] of checks.entries()) {
      const { code, ...run } = await runNamed(check, `\n${headings[i]}`, signal);
      runs.push({ name: `${check.flags.target}`, ...run });
      codes.push(code);
    }
    const [folder] = targets.flatMap((flags) => sharedFolder(flags) ?? []);
    giveMatrix(runs, folder);
    process.exitCode = WORST_LAST[Math.max(...codes.map((code) => WORST_LAST.indexOf(code)))];
  });
}

/** The folder that is said for all targets: undefined where none is, or the settings of the target name its own. */
function sharedFolder({ report, origins, place = '' }: ResolvedFlags): string | undefined {
  return place !== '' && origins['report']?.startsWith(place) === true ? undefined : report;
}

/** What one target cannot do, such as start, is no reason to leave out the others; an interrupt is. */
async function runNamed(check: PreparedCheck, heading: string, signal: AbortSignal) {
  if (signal.aborted) return { code: EXIT.interrupted };
  writeHeading(heading);
  return runPrepared(check, signal).catch((error: unknown) => ({ code: commandFailure(error) }));
}

/** The whole matrix is in a file, and on the page of a job; what is printed is only what fails or differs. */
function giveMatrix(runs: readonly RunOfTarget[], folder = RUNS_FOLDER): void {
  const { whole, telling } = clauseMatrix(runs);
  writeLine(`\n${telling}`);
  addToJobPage(whole, 'first');
  saveFile(join(folder, 'matrix.md'), whole);
}
