import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, Summary } from '../../model/summary.ts';
import { counted, IN_PART } from '../display-verdict.ts';
import { markdownTable } from '../markdown-report.ts';
import { selectedClauses } from '../tables.ts';

/** The run of one of several targets; without a summary it did not begin. */
export interface RunOfTarget {
  readonly name: string;
  readonly summary?: Pick<Summary, 'clauses' | 'outcome'>;
}

/**
 * The clauses that bind a service, and what each target makes of them: the text of `matrix.md`, and for a terminal only what
 * fails somewhere or is not the same everywhere.
 */
export function clauseMatrix(runs: readonly RunOfTarget[]) {
  const judged = runs.flatMap(({ summary }) =>
    summary === undefined ? [] : selectedClauses(summary).selected,
  );
  const ids = new Set(judged.flatMap(({ id, bound }) => (bound === 'service' ? id : [])));
  const rows = [...ids].map((id) => {
    const words = runs.map(({ summary }) => wordOf(summary?.clauses.find((each) => each.id === id)));
    return [id, ...words, CLAUSES[id].statement];
  });
  const telling = rows.filter(([, ...cells]) => {
    const words = new Set(cells.slice(0, -1).filter((word) => word !== NOTHING));
    return words.size > 1 || words.has('fail') || words.has('error');
  });
  const outcomes = ['outcome', ...runs.map(({ summary }) => summary?.outcome ?? 'did not begin'), ''];
  const head = ['clause', ...runs.map(({ name }) => name), 'in words'];
  const alike = rows.length - telling.length;
  const where = runs.every(({ summary }) => summary) ? '' : ' where a run began';
  const others = alike === 0 ? '' : `\n${counted(alike, 'other clause')}: alike${where}, and no failure`;
  return {
    whole: `# Conformance of ${counted(runs.length, 'target')}\n\n${markdownTable(head, [outcomes, ...rows])}\n`,
    telling: `${markdownTable(head, [outcomes, ...telling])}${others}`,
  };
}

/** What stands where nothing was judged. */
const NOTHING = '–';

function wordOf(result: ClauseResult | undefined): string {
  if (result === undefined) return NOTHING;
  return result.missing === undefined ? result.verdict : IN_PART;
}
