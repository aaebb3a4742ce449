import type { Progress, RunOptions } from '../../../suites/engine/model/run.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { printable, safeLines } from '../../../suites/engine/text/printable.ts';

type Screen = Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>> & {
  readonly write: (text: string) => unknown;
};

/** What a run calls while it goes on. */
export type Shown = Pick<RunOptions, 'onProgress' | 'onFirstFailure' | 'onSentAgain' | 'onWait'>;

const REDRAW_EVERY_MS = 80;

/**
 * Shows the progress of a run, and what it says meanwhile: a terminal gets one line that is written over and over, anything
 * else a line for each quarter of the inputs. `end` makes room for what is printed next.
 */
export function progressOn(screen: Screen): Required<Shown> & { readonly end: () => void } {
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
    onWait: (ms) => note(`rate limit: the target asks to wait ${Math.ceil(ms / 1000)} s`),
    onSentAgain: (failed) => {
      const outcome = failed.length === 0 ? 'none of it fails' : `${failed.join(' ')} still failed`;
      note(`What failed before was sent again: ${outcome}`);
    },
    onFirstFailure: ({ id, clauses, title }, { expected, actual }) => {
      const of = clauses.length === 0 ? '' : ` (${clauses.join(' ')})`;
      const line = `first failure: ${id}${of}, ${title}: expected ${expected}; got ${actual}`;
      note(printable(line, 300));
    },
    end: () => void screen.write(clear),
  };
}

const spentText = ({ requests, completions }: Progress['spent']): string =>
  `${counted(requests, 'request')}, ${counted(completions, 'completion')}`;
