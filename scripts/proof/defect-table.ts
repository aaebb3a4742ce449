import { DEFECTS, defectNames } from '../../mock-server/defects/defects.ts';
import { markdownTable } from '../../suites/kit/reporting/markdown-table.ts';

/** Every defect: which clauses it breaks, how it came about, and what else it may be blamed on. */
export function defectTable(): string {
  const rows = defectNames().map((name) => {
    const { clauses: breaks, story, alsoBlamed = {} } = DEFECTS[name];
    const also = Object.entries(alsoBlamed).map(([clause, reason]) => `${clause}: ${reason}`);
    return [`\`${name}\``, breaks.join(', '), story, also.join('; ')];
  });
  return markdownTable(['defect', 'breaks', 'story', 'may be blamed on, too'], rows);
}
