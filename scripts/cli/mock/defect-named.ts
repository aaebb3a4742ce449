import { DEFECTS, type DefectName, defectNames, isDefectName } from '../../../mock-server/defects/defects.ts';
import { didYouMean } from '../../../suites/kit/files/did-you-mean.ts';
import { UsageError } from '../terminal/exit.ts';

/**
 * The defect of that name.
 * @throws {UsageError} Given a name that no defect has.
 */
export function defectNamed(name: string): DefectName {
  if (isDefectName(name)) return name;
  const near = didYouMean(name, defectNames()) || ': --defect list shows them all';
  throw new UsageError(`--defect: no defect is called "${name}"${near}`);
}

/** A line for each defect: its name, the clauses that it breaks, and its story. */
export function defectList(): string {
  const width = Math.max(...defectNames().map((name) => name.length));
  return defectNames()
    .map((name) => `${name.padEnd(width)}  ${DEFECTS[name].clauses.join(', ')}: ${DEFECTS[name].story}`)
    .join('\n');
}
