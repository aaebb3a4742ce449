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

const PASSES: Readonly<Record<Progress['pass'], string>> = {
  again: ', what failed before',
  first: '',
  second: ', again',
  open: ', open points',
  known: ', known failures',
};

/** `paid`, and the second time `paid, again`. */
function partOf({ pass, stage }: Progress): string {
  return stage + PASSES[pass];
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
      const line = `${partOf(progress)} ${done}/${total} · ${spentText(progress)} · ${stimulus}`;
      screen.write(CLEAR_LINE + safeLines(line).slice(0, (screen.columns || 80) - 1));
    },
    note: (line) => screen.write(`${CLEAR_LINE}${safeLines(line)}\n`),
    end: () => screen.write(CLEAR_LINE),
  };
}

/** One line for each part that has ended. */
function plainLines(screen: Screen): ProgressView {
  let last: Progress | undefined;
  const close = (): void => {
    if (last !== undefined)
      screen.write(`${partOf(last)}: ${last.done} of ${last.total} done, ${spentText(last)}\n`);
    last = undefined;
  };
  return {
    show: (progress) => {
      if (last !== undefined && partOf(last) !== partOf(progress)) close();
      last = progress;
    },
    note: (line) => screen.write(`${safeLines(line)}\n`),
    end: close,
  };
}

/** A live line in a terminal, plain lines elsewhere. */
export function progressView(screen: Screen): ProgressView {
  return screen.isTTY === true ? liveLine(screen) : plainLines(screen);
}
