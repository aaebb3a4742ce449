import { type DefectName, DEFECTS, isDefectName } from '../../mock-server/defects/defects.ts';
import type { Defect } from '../../mock-server/defects/defect.ts';
import type { SecondDefectName } from './second-service/defects/defects.ts';
import { SECOND_DEFECT_LABELS } from './second-defects.ts';

/** A defect of the mock or of the second service; no two share a name. */
export type ProvedDefectName = DefectName | SecondDefectName;

/** Every defect that the suites are tried with, those of the mock first. */
export const PROVED_DEFECTS: Readonly<Record<ProvedDefectName, Defect>> = {
  ...DEFECTS,
  ...SECOND_DEFECT_LABELS,
};

export function isProvedDefect(name: string): name is ProvedDefectName {
  return Object.hasOwn(PROVED_DEFECTS, name);
}

export function provedDefectNames(): readonly ProvedDefectName[] {
  return Object.keys(PROVED_DEFECTS).filter(isProvedDefect);
}

/** Of each service, the names of its defects. */
export function defectNamesOf(service: 'mock' | 'second service'): readonly ProvedDefectName[] {
  return provedDefectNames().filter((name) => isDefectName(name) === (service === 'mock'));
}
