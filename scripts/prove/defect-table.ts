import { DEFECTS, defectNames } from '../../fixtures/defects.ts';
import { markdownTable } from '../markdown-table.ts';

/** Every defect: which clauses it breaks, how it came about, and what else it may be blamed on. */
export function defectTable(): string {
  const rows = defectNames().map((name) => {
    const { breaks, story, alsoBlamed = {}, atFullSizeOnly } = DEFECTS[name];
    const also = Object.entries(alsoBlamed).map(([clause, reason]) => `${clause}: ${reason}`);
    const only = atFullSizeOnly === undefined ? '' : ` (seen at full size only: ${atFullSizeOnly})`;
    return [`\`${name}\``, breaks.join(', '), `${story}${only}`, also.join('; ')];
  });
  return markdownTable(['defect', 'breaks', 'story', 'may be blamed on, too'], rows);
}
