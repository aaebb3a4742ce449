import { NOTHING_CAME } from '../../../suites/caller/judge-caller.ts';
import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { callerAgain } from './caller-again.ts';
import type { CallerFlags } from './caller-flags.ts';
import { resolveCallerOptions, type CallerOptions } from './caller-options.ts';
import type { PlayedScenario } from '../../caller/run-scenario.ts';
import { startCommand } from '../../caller/start-command.ts';
import { tryCaller } from '../../caller/try-caller.ts';
import { EXIT } from '../terminal/exit.ts';
import { interruptible } from '../terminal/interruption.ts';
import { saveReports } from '../reports/save-reports.ts';
import { noteLine, writeLine } from '../terminal/write-line.ts';

/** Words up to the first option: what follows may hold a secret. */
function nameOf({ program, args }: CallerOptions['command']): string {
  const option = args.findIndex((word) => word.startsWith('-'));
  return [program, ...args.slice(0, option === -1 ? args.length : option)].join(' ');
}

function endText({ timeline: { end, requests } }: PlayedScenario): string {
  const how =
    end.kind === 'exited' ? `ended with ${end.code}` : end.kind === 'stopped' ? 'did not end' : 'was ended';
  return `${requests.length} requests, ${how}`;
}

/** False when a report could not be written, which is said then. */
async function report(summary: Summary, plan: CallerOptions): Promise<boolean> {
  const detail = plan.quiet ? 'failures' : 'everything';
  const again = (checkId: string): string => callerAgain(plan, summary, checkId);
  writeLine(
    terminalReport(summary, {
      styleText: styleTextFor(process.stdout),
      detail,
      rerunCommand: again,
    }).trimEnd(),
  );
  if (summary.checks.every(({ reason }) => reason === NOTHING_CAME))
    writeLine(
      'Nothing came at all: does the command send to the address in CHAT_BASE_URL or OPENAI_BASE_URL?',
    );
  return plan.report === undefined || saveReports(plan.report, summary);
}

async function tried(plan: CallerOptions, signal: AbortSignal): Promise<number> {
  const summary = await tryCaller({
    ...plan,
    name: nameOf(plan.command),
    start: startCommand({ ...plan.command, signal }),
    signal,
    onPlayed: (played) => plan.quiet || noteLine(`${played.timeline.scenario}: ${endText(played)}`),
  });
  const isSaved = await report(summary, plan);
  if (signal.aborted) return EXIT.interrupted;
  return summary.outcome === 'conformant' && !isSaved ? EXIT.incomplete : EXIT[summary.outcome];
}

/**
 * `chat-conformance caller -- COMMAND ARGS…`: plays every scenario at the command, reports, and sets the exit code.
 * @throws {UsageError} Before anything was started; and for a command that cannot be.
 */
export async function runCallerCommand(flags: CallerFlags, words: readonly string[]): Promise<void> {
  const plan = resolveCallerOptions(flags, words);
  if (!plan.quiet) noteLine(`seed ${plan.seed}`);
  const { signal, release } = interruptible(() =>
    noteLine('\nEnding the caller; Ctrl-C again ends it at once.'),
  );
  try {
    process.exitCode = await tried(plan, signal);
  } finally {
    release();
  }
}
