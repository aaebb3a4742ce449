import type { Progress, RunOptions, Waiting } from '../../../suites/engine/model/run.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { timeText } from '../../../suites/engine/running/spending-plan.ts';
import { printable, safeLines } from '../../../suites/engine/text/printable.ts';

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

/** What a run calls while it goes on. */
export type Shown = Pick<RunOptions, 'onProgress' | 'onFirstFailure' | 'onSentAgain' | 'onWait'>;

const REDRAW_EVERY_MS = 80;
const LONGEST_LINE = 300;

/**
 * Shows the progress of a run, and what it says meanwhile: a terminal gets one line that is written over and over, anything
 * else a line for each quarter of the inputs. `end` makes room for what is printed next. `planned`: how many requests are
 * likely in all.
 */
export function progressOn(
  screen: Screen,
  planned: () => number,
): Required<Shown> & { readonly end: () => void } {
  const startedAt = performance.now();
  const clear = screen.isTTY === true ? '\r\u001b[2K' : '';
  const note = (line: string): void => void screen.write(`${clear}${safeLines(line)}\n`);
  let drawnAt = -Infinity;
  let quarters = 0;
  const redraw = ({ stimulus, done, total, spent }: Progress): void => {
    const now = performance.now();
    if (now - drawnAt < REDRAW_EVERY_MS) return;
    drawnAt = now;
    const line = `${done}/${total} inputs · ${spentText(spent)} · ${stimulus}`;
    screen.write(clear + safeLines(line).slice(0, (screen.columns || 80) - 1));
  };
  const print = ({ done, total, spent }: Progress): void => {
    const reached = Math.floor((4 * done) / total);
    if (reached > quarters) note(`${done} of ${total} inputs sent, ${spentText(spent)}`);
    quarters = reached;
  };
  return {
    onProgress: clear === '' ? print : redraw,
    onWait: (wait) => note(waitLine(wait, performance.now() - startedAt, planned())),
    onSentAgain: (failed) => {
      const fails = failed.length === 1 ? 'fails' : 'fail';
      const outcome = failed.length === 0 ? 'nothing of it fails' : `${failed.join(' ')} ${fails}`;
      note(`What failed before was sent again: ${outcome}`);
    },
    onFirstFailure: ({ id, clauses, title }, { expected, actual }) => {
      const of = clauses.length === 0 ? '' : ` (${clauses.join(' ')})`;
      const line = `first failure: ${id}${of}, ${title}: expected ${expected}; got ${actual}`;
      note(printable(line, LONGEST_LINE));
    },
    end: () => void screen.write(clear),
  };
}

function spentText({ requests, completions }: Progress['spent']): string {
  return `${counted(requests, 'request')}, ${counted(completions, 'completion')}`;
}

/**
 * How long the target asks to wait, and how long the rest of the run takes if it goes on like this: what was sent so far
 * took the time so far and this wait.
 */
function waitLine({ ms, requests }: Waiting, elapsedMs: number, planned: number): string {
  const asks = `rate limit: the target asks to wait ${timeText(ms)}`;
  const left = planned - requests;
  if (left <= 0 || requests === 0) return asks;
  return `${asks}; about ${timeText(ms + (left * (elapsedMs + ms)) / requests)} left for ${left} requests`;
}
