import { saysItCrashed } from '../../suites/caller/non-json-survived.ts';
import type { CallerEnd, Timeline } from '../../suites/caller/timeline.ts';

const LONGEST_LINE = 200;

function linesOf(output: string): readonly string[] {
  return output.split('\n').filter((line) => line.trim() !== '');
}

/** The last line of the output, or the one that names the error where Node wrote it before a stack trace. */
function lastLine(output: string): string {
  const lines = linesOf(output);
  const named = lines.findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line) && line.includes(':'));
  const line = (named ?? lines.at(-1) ?? '').trim();
  return line === '' ? '' : `: ${line.slice(0, LONGEST_LINE)}`;
}

/** Whether a shell returns this for a program that it cannot run or that a signal ended; Unix signals go up to 64. */
function isOfShell(code: number): boolean {
  return code >= 126 && code <= 128 + 64;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0)} s`;
}

/** What took the time of a caller that was stopped, and what to do about it. */
function timeTaken({ startedAt, requests }: Timeline, afterMs: number): string {
  const endedAt = startedAt + afterMs;
  let since = startedAt;
  const pauses = [...requests, { arrivedAt: endedAt, knownAt: endedAt }].map(
    ({ arrivedAt, knownAt = endedAt }) => {
      const pause = Math.max(0, arrivedAt - since);
      since = Math.max(since, knownAt);
      return pause;
    },
  );
  if ((pauses.at(-1) ?? 0) > afterMs / 2)
    return 'it sent nothing for more than half of that; let it end, or give it more time with --deadline';
  const idle = pauses.reduce((sum, pause) => sum + pause, 0);
  return `answers took ${seconds(afterMs - idle)} of that, its own work and pauses ${seconds(idle)} (the longest ${seconds(Math.max(...pauses))}); --deadline gives it more time`;
}

/** What was wrong with how a caller ended, if anything. An exit code that reports a failure is not wrong in itself. */
export function endProblem(timeline: Timeline): readonly string[] {
  const { end } = timeline;
  if (end.kind === 'stopped')
    return [
      `it had not ended after ${seconds(end.afterMs)}, and was stopped: ${timeTaken(timeline, end.afterMs)}`,
    ];
  if (end.kind === 'signalled') return [`it was killed by ${end.signal}${lastLine(end.output)}`];
  if (end.kind === 'watched' || end.code === 0) return [];
  if (saysItCrashed(end.output)) return [`it crashed with code ${end.code}${lastLine(end.output)}`];
  const problem = `it exited with code ${end.code}, as a shell for a program that it cannot run or that a signal ended`;
  return isOfShell(end.code) ? [`${problem}${lastLine(end.output)}`] : [];
}

/** How a caller ended, in a few words. */
export function callerEnding(end: CallerEnd): string {
  if (end.kind === 'exited') return `exit code ${end.code}`;
  if (end.kind === 'signalled') return `was killed by ${end.signal}`;
  return end.kind === 'stopped' ? 'did not end' : 'was only observed';
}

const SHOWN_LINES = 5;

/** The last lines that a caller wrote to stderr, if it ended with anything but 0. */
export function lastWords(end: CallerEnd): readonly string[] {
  if (end.kind === 'watched' || (end.kind === 'exited' && end.code === 0)) return [];
  return linesOf(end.stderr ?? end.output)
    .slice(-SHOWN_LINES)
    .map((line) => line.slice(0, LONGEST_LINE));
}
