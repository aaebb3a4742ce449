import type { Summary, Verdict } from '../model/summary.ts';
import { NOT_SELECTED } from '../summary/clause-results.ts';
import { printable } from '../text/printable.ts';
import { LONGEST, type StyleText } from './colours.ts';
import {
  clausesOf,
  displayReason,
  displayVerdict,
  IN_PART,
  missingLines,
  triedInputs,
  verdictCounts,
  VERDICTS,
} from './display-verdict.ts';

/** A table of every report for people. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly verdict?: Verdict; readonly cells: readonly Cell[] }[];
}

/** A text of ours; or one in which there may be anything, which is not escaped yet. */
export type Cell = string | { readonly said: string };

const said = (text: string): Cell => ({ said: text });

/** These mean little without their reason, so clauses are listed under it. */
const NEED_A_REASON: ReadonlySet<Verdict> = new Set(['not-exercised', 'inconclusive', 'error']);

/** The clauses that a run was asked about, where it was asked about some, and how many others there are. */
export function selectedClauses({ clauses }: Pick<Summary, 'clauses'>) {
  const isPartial = clauses.some(({ reason }) => reason === NOT_SELECTED);
  const selected = isPartial ? clauses.filter(({ checks }) => checks.length > 0) : clauses;
  return { selected, others: clauses.length - selected.length };
}

/** Every clause with its verdict: in the first row of each verdict, how many have it. */
export function clauseTable(summary: Pick<Summary, 'clauses'>): Table {
  const { selected, others } = selectedClauses(summary);
  const rows = verdictCounts(selected).flatMap(({ verdict, word, count, results }) => {
    const named = (all: typeof results): string => all.map(({ id }) => id).join(' ');
    const byReason = [...Map.groupBy(results, ({ reason }) => reason)].map(([reason, same]) =>
      said(`${named(same)}: ${reason}`),
    );
    const inPart = results.flatMap((clause) =>
      missingLines(clause).map((line) => said(`${clause.id}, not seen: ${line}`)),
    );
    const decided = NEED_A_REASON.has(verdict) ? byReason : [named(results)];
    const texts = word === IN_PART ? inPart : decided;
    return texts.map((text, i) => ({ verdict, cells: [i === 0 ? `${count} ${word}` : '', text] }));
  });
  const left = others === 0 ? [] : [{ cells: [`${others} others`, 'no selected check covers them'] }];
  return { title: 'Clauses', head: ['verdict', 'clauses'], rows: [...rows, ...left] };
}

/** What the target does where the specification is silent. */
export function openPointTable({ open }: Pick<Summary, 'open'>): Table {
  const rows = open.map(({ clause, point, observed, varied, pinned }) => {
    const notes = [
      ...(varied === true ? ['it varied'] : []),
      ...(pinned === undefined ? [] : [`pinned: ${JSON.stringify(pinned)}`]),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    return { cells: [clause, said(point), said(`${JSON.stringify(observed)}${note}`)] };
  });
  return { title: 'Open points', head: ['clause', 'point', 'observed'], rows };
}

export function checkTable({ checks }: Pick<Summary, 'checks'>): Table {
  const rows = checks.map((result) => {
    const [id, reason] = [said(result.id), said(displayReason(result))];
    const cells = [id, clausesOf(result), displayVerdict(result), triedInputs(result), reason];
    return { verdict: result.verdict, cells };
  });
  const head = ['check', 'clauses', 'verdict', 'inputs', 'reason'];
  return { title: checks.length === 1 ? 'The check' : `All ${checks.length} checks`, head, rows };
}

/** The longest line of ours on a terminal. */
const WIDTH = 110;

/** Words in lines of at most `WIDTH` columns, every line indented. */
export function wrapWords(indent: string, words: readonly string[]): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of words) {
    const longer = line === indent ? `${line}${word}` : `${line} ${word}`;
    if (longer.length > WIDTH && line !== indent) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join('\n');
}

/** Rows of two cells: the first in the colour of the verdict, the second in as many lines as it takes. */
export function tableLines({ rows }: Table, styleText: StyleText): readonly string[] {
  const texts = rows.map(({ verdict, cells }) => {
    const [first = '', second = ''] = cells.map((cell) =>
      typeof cell === 'string' ? cell : printable(cell.said, LONGEST),
    );
    return { style: verdict === undefined ? 'dim' : VERDICTS[verdict].style, first, second } as const;
  });
  const width = Math.max(0, ...texts.map(({ first }) => first.length));
  const indent = ' '.repeat(width + 4);
  return texts.map(({ style, first, second }) => {
    const beside = wrapWords(indent, second.split(' ')).slice(indent.length);
    return `  ${styleText(style, first.padEnd(width))}  ${beside}`;
  });
}
