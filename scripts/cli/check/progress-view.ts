import type { Progress } from '../../../suites/engine/model/run.ts';
import { safeLines } from '../../../suites/engine/text/printable.ts';

/** Shows the progress of a run. */
export interface ProgressView {
  readonly show: (progress: Progress) => void;
  /** Prints a line of its own between. */
  readonly note: (line: string) => void;
  /** Makes room for what is printed next. */
  readonly end: () => void;
}

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly write: (text: string) => unknown;
}

const REDRAW_EVERY_MS = 80;
const CLEAR_LINE = '\r\u001b[2K';

export const NO_PROGRESS: ProgressView = { show: () => {}, note: () => {}, end: () => {} };

function spentText({ spent }: Progress): string {
  return `${spent.requests} requests, ${spent.completions} completions`;
}

/** A terminal gets one line that is written over and over, anything else a line for each quarter of the inputs. */
export function progressView(screen: Screen): ProgressView {
  const isLive = screen.isTTY === true;
  const clear = isLive ? CLEAR_LINE : '';
  let drawnAt = -Infinity;
  let quarters = 0;
  const redraw = (progress: Progress): void => {
    const now = performance.now();
    if (now - drawnAt < REDRAW_EVERY_MS) return;
    drawnAt = now;
    const { stimulus, done, total } = progress;
    const line = `${done}/${total} inputs · ${spentText(progress)} · ${stimulus}`;
    screen.write(clear + safeLines(line).slice(0, (screen.columns || 80) - 1));
  };
  const print = (progress: Progress): void => {
    const { done, total } = progress;
    const reached = Math.floor((4 * done) / total);
    if (reached <= quarters) return;
    quarters = reached;
    screen.write(`${done} of ${total} inputs sent, ${spentText(progress)}\n`);
  };
  return {
    show: isLive ? redraw : print,
    note: (line) => screen.write(`${clear}${safeLines(line)}\n`),
    end: () => screen.write(clear),
  };
}
