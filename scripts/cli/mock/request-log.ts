import { clockTime, durationText, statusOf } from '../../../mock-server/inspector/page/entry-text.ts';
import type { ShownEntry } from '../../../mock-server/journal/shown-exchange.ts';
import { type StyleText, styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { noteLine } from '../terminal/terminal.ts';

/** Writes a line for each request that has ended to stderr: as the journal has it, or in columns, with colours in a terminal. */
export function requestLog(format: 'text' | 'json'): (entry: ShownEntry) => void {
  const style = styleTextFor('stderr');
  return (entry) => noteLine(format === 'json' ? JSON.stringify(entry) : textLine(entry, style));
}

const WIDTHS = { status: 4, ms: 9, path: 28, key: 8 };
const COLOURS = { good: 'green', warn: 'yellow', bad: 'red', idle: 'dim' } as const;

/** `12:01:02.345 POST /v1/chat/completions 200 4.10 ms primary compact-1 debit 82`, in columns. */
export function textLine(entry: ShownEntry, style: StyleText): string {
  const { realAt, sandbox, method, path, status, ended, ms, key, model, stream, answer, code } = entry;
  const debit = entry.ledger.at(-1)?.debit ?? null;
  const place = `${method.padEnd(4)} ${sandbox === null ? '' : `${sandbox}:`}${printable(path)}`;
  const cells = [
    style('dim', clockTime(realAt)),
    place.padEnd(WIDTHS.path),
    style(COLOURS[statusOf(entry).tone], String(status ?? '–').padEnd(WIDTHS.status)),
    ...(code === null ? [] : [printable(code)]),
    durationText(ms).padStart(WIDTHS.ms),
    (key ?? '–').padEnd(WIDTHS.key),
    ...(model === null ? [] : [`${printable(model)}${stream ? ' stream' : ''}`]),
    ...(ended === 'answered' || ended === null ? [] : [style('red', ended)]),
    ...entry.faults.map(({ fault, phase }) => style('yellow', `${fault} at ${phase}`)),
    ...(answer === null ? [] : [style('dim', answer)]),
    ...(debit === null ? [] : [`debit ${debit}`]),
  ];
  return cells.join(' ').trimEnd();
}
