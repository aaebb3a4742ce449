import { printable } from '../../evidence/printable.ts';
import type { Paint } from './report-style.ts';
import type { OpenPointResult } from '../../model/summary.ts';

const WIDTH = 108;

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pointText({ point, observed, pinned }: OpenPointResult): string {
  const text = `${point} ${printable(valueText(observed), 40)}`;
  return pinned === undefined ? text : `${text} (pinned)`;
}

/** As many as one line holds, and how many more there are. */
function oneLine(clause: string, points: readonly OpenPointResult[], paint: Paint): string {
  const texts: string[] = [];
  for (const point of points) {
    const text = pointText(point);
    if (clause.length + [...texts, text].join(', ').length > WIDTH && texts.length > 0) break;
    texts.push(text);
  }
  const more = points.length - texts.length;
  return `  ${paint('cyan', clause.padEnd(7))} ${texts.join(', ')}${more > 0 ? paint('dim', ` +${more}`) : ''}`;
}

/** What the target does where the specification is silent, a line per clause; `report.json` has all of it. */
export function openPointLines(open: readonly OpenPointResult[], paint: Paint): readonly string[] {
  const byClause = Map.groupBy(open, ({ clause }) => clause);
  return [...byClause].map(([clause, points]) => oneLine(clause, points, paint));
}
