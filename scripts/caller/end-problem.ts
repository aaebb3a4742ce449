import { saysItCrashed } from '../../suites/caller/crash-signs.ts';
import type { CallerEnd } from '../../suites/caller/timeline.ts';

const LONGEST = 200;

/** What a process wrote last tells most. Of a crash of Node's, the line that names the error. */
function lastLine(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const named = lines.findLast((line) => /^(?:\w+\.)*\w*(?:Error|Exception)\b.*:/.test(line));
  const line = (named ?? lines.at(-1) ?? '').trim();
  return line === '' ? '' : `: ${line.slice(0, LONGEST)}`;
}

/** What a shell ends with when a program was missing, or was ended by a signal; Unix signals go up to 64. */
function shellProblem(code: number): string | undefined {
  if (code === 126) return 'which is what a shell says of a program that cannot be run';
  if (code === 127) return 'which is what a shell says of a program that is not there';
  return code > 128 && code <= 128 + 64 ? `which is what a shell says of signal ${code - 128}` : undefined;
}

function exitProblem(code: number, output: string): readonly string[] {
  if (code === 0) return [];
  if (saysItCrashed(output)) return [`it crashed, with code ${code}${lastLine(output)}`];
  const problem = shellProblem(code);
  return problem === undefined ? [] : [`it ended with code ${code}, ${problem}${lastLine(output)}`];
}

/** What was wrong with how a caller ended: a sentence, or nothing. That it tells of a failure by its code is not. */
export function endProblem(end: CallerEnd): readonly string[] {
  switch (end.kind) {
    case 'watched':
      return [];
    case 'stopped':
      return [`it had not ended after ${(end.afterMs / 1000).toFixed(0)} s, and was ended`];
    case 'signalled':
      return [`it was ended by ${end.signal}${lastLine(end.output)}`];
    case 'exited':
      return exitProblem(end.code, end.output);
  }
}
