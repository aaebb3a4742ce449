import type { Change, Comparison } from '../compare-reports.ts';
import { printable } from '../../evidence/printable.ts';
import type { Paint, Style } from './report-style.ts';

const LONGEST = 200;

const HEADINGS: readonly (readonly [Change['direction'], string, Style])[] = [
  ['worse', 'Worse', 'red'],
  ['better', 'Better', 'green'],
  ['other', 'Changed', 'yellow'],
  ['new', 'New', 'cyan'],
  ['gone', 'Gone', 'dim'],
];

function verdicts({ before, after }: Change): string {
  if (before === undefined) return after?.verdict ?? '';
  if (after === undefined) return before.verdict;
  return before.verdict === after.verdict
    ? `${after.verdict}, in another way`
    : `${before.verdict} → ${after.verdict}`;
}

function reasonLines({ before, after }: Change, paint: Paint): readonly string[] {
  const line = (label: string, reason = ''): readonly string[] =>
    reason === '' ? [] : [`      ${paint('dim', label.padEnd(6))} ${printable(reason, LONGEST)}`];
  return [...line('before', before?.reason), ...line('after', after?.reason)];
}

function checkLines({ checks }: Comparison, paint: Paint): readonly string[] {
  return HEADINGS.flatMap(([direction, heading, style]) => {
    const changes = checks.filter((change) => change.direction === direction);
    if (changes.length === 0) return [];
    const lines = changes.flatMap((change) => [
      `  ${paint('bold', change.id)}: ${verdicts(change)}`,
      ...reasonLines(change, paint),
    ]);
    return ['', paint(style, heading), ...lines];
  });
}

function clauseLines({ clauses }: Comparison, paint: Paint): readonly string[] {
  if (clauses.length === 0) return [];
  return ['', paint('bold', 'Clauses'), ...clauses.map((change) => `  ${change.id}: ${verdicts(change)}`)];
}

function valueText(value: unknown): string {
  return value === undefined ? 'not seen' : printable(JSON.stringify(value), LONGEST);
}

function openPointLines({ open }: Comparison, paint: Paint): readonly string[] {
  if (open.length === 0) return [];
  const lines = open.map(
    ({ point, before, after }) => `  ${point}: ${valueText(before)} → ${valueText(after)}`,
  );
  return ['', paint('bold', 'Open points'), ...lines];
}

function circumstanceLines({ circumstances }: Comparison, paint: Paint): readonly string[] {
  if (circumstances.length === 0) return [];
  const lines = circumstances.map(
    ({ what, before, after }) => `  ${what}: ${printable(before, LONGEST)} → ${printable(after, LONGEST)}`,
  );
  return [paint('yellow', 'Not the same run'), ...lines];
}

function countLine({ checks, same }: Comparison): string {
  const counts = HEADINGS.map(
    ([direction, heading]) =>
      `${checks.filter((change) => change.direction === direction).length} ${heading.toLowerCase()}`,
  );
  return `${counts.join(', ')}, ${same} the same`;
}

/** How two reports differ, as text: first what else was not the same. */
export function comparisonText(comparison: Comparison, paint: Paint): string {
  return [
    ...circumstanceLines(comparison, paint),
    ...checkLines(comparison, paint),
    ...clauseLines(comparison, paint),
    ...openPointLines(comparison, paint),
    '',
    countLine(comparison),
  ]
    .join('\n')
    .trimStart();
}
