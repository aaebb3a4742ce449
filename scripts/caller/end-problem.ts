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
      if (end.code === 0 || !saysItCrashed(end.output)) return [];
      return [`it crashed, with code ${end.code}${lastLine(end.output)}`];
  }
}
