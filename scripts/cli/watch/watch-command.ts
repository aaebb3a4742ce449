import { once } from 'node:events';
import { FileError } from '../../../suites/engine/text/read-json-file.ts';
import { prepareCheck, runAndReport, SUPERSEDED, targetLines } from '../check/check-command.ts';
import { type Memory, memoryOf, readMemory, changesLine } from '../check/memory.ts';
import { withService } from '../check/with-service.ts';
import { resolveTargets } from '../config/resolve-flags.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { rejectMissingTarget } from '../options/target-options.ts';
import { discardRun } from '../reports/report-folder.ts';
import {
  commandFailure,
  EXIT,
  interruptible,
  UsageError,
  noteLine,
  writeLine,
} from '../terminal/terminal.ts';
import { watchFiles } from './watch-files.ts';

/**
 * `chat-conformance --watch`: checks, and checks again on every change, until it is interrupted.
 * @throws {UsageError} Before anything is sent or started.
 */
export async function runWatchCommand(given: CheckFlags): Promise<void> {
  const [flags] = await resolveTargets(given);
  if (flags === undefined) return;
  if (flags.baseUrl === undefined) {
    rejectMissingTarget(flags);
    throw new UsageError('--watch requires --base-url: it is where the service answers');
  }
  // Aborted when another round is asked for, under way or not; the round under way then ends without a report.
  let round = new AbortController();
  const nextRound = (): void => round.abort(SUPERSEDED);
  const endWatch = await watchFiles(flags, (changed) => {
    noteLine(`\nchanged: ${changed.join(' ')}`);
    nextRound();
  });
  if (process.stdin.isTTY) process.stdin.on('data', nextRound);
  try {
    await interruptible(nextRound, async (quit) => {
      // The first round goes on from the reports of earlier runs.
      let memory = await readMemory(flags);
      for (let isFirst = true; !quit.aborted; isFirst = false) {
        round = new AbortController();
        const ended = once(round.signal, 'abort');
        try {
          memory = await checkOnce(flags, memory, round.signal, ended);
        } catch (error) {
          // What is being edited, such as a profile, may be wrong for a moment.
          if (isFirst || !(error instanceof UsageError || error instanceof FileError)) throw error;
          commandFailure(error);
        }
        await ended;
      }
    });
    process.exitCode = EXIT.interrupted;
  } finally {
    process.stdin.pause();
    await endWatch();
  }
}

/** A run that knows what failed before it; returns what it leaves once it has `ended`. `flags` still have `{port}`. */
async function checkOnce(
  flags: ResolvedFlags,
  memory: Memory,
  signal: AbortSignal,
  ended: Promise<unknown>,
): Promise<Memory> {
  let left = memory;
  const { options } = await prepareCheck(flags, memory);
  const { quiet, report, run } = options;
  if (!quiet) targetLines(options).forEach(noteLine);
  const check = async () => (signal.aborted ? { summary: undefined } : runAndReport(options, signal, true));
  await withService(options, signal, check, async ({ summary }) => {
    if (signal.aborted) {
      // Half a round is no report; where it leaves requests of unknown outcome, its journal lists them.
      if (report !== undefined && (summary?.uncertain ?? []).length === 0) discardRun(report);
      return;
    }
    if (summary !== undefined) {
      writeLine(changesLine(summary, memory, run.failOn) ?? 'Nothing fails');
      left = memoryOf(summary, flags.failOn);
    }
    noteLine(`waiting for changes${process.stdin.isTTY ? ' · Enter checks again · Ctrl-C ends' : ''}`);
    await ended;
  });
  return left;
}
