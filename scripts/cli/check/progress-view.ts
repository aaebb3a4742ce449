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

/** One line that is written over and over. */
function liveLine(screen: Screen): ProgressView {
  let drawnAt = -Infinity;
  return {
    show: (progress) => {
      const now = performance.now();
      if (now - drawnAt < REDRAW_EVERY_MS) return;
      drawnAt = now;
      const { stimulus, done, total } = progress;
      const line = `${done}/${total} inputs · ${spentText(progress)} · ${stimulus}`;
      screen.write(CLEAR_LINE + safeLines(line).slice(0, (screen.columns || 80) - 1));
    },
    note: (line) => screen.write(`${CLEAR_LINE}${safeLines(line)}\n`),
    end: () => screen.write(CLEAR_LINE),
  };
}

/** A line for each quarter of the inputs. */
function plainLines(screen: Screen): ProgressView {
  let shown = 0;
  return {
    show: (progress) => {
      const { done, total } = progress;
      const quarters = Math.floor((4 * done) / total);
      if (quarters <= shown) return;
      shown = quarters;
      screen.write(`${done} of ${total} inputs sent, ${spentText(progress)}\n`);
    },
    note: (line) => screen.write(`${safeLines(line)}\n`),
    end: () => {},
  };
}

/** A live line in a terminal, plain lines elsewhere. */
export function progressView(screen: Screen): ProgressView {
  return screen.isTTY === true ? liveLine(screen) : plainLines(screen);
}
