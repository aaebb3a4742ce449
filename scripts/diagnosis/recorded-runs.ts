import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { INVARIANTS } from '../../suites/invariants.ts';
import { readJournal } from '../../suites/kit/journal/read-journal.ts';
import { recordedFindings } from '../../suites/kit/recorded/recorded-findings.ts';
import { symptomsIn } from '../../suites/kit/summary/causes-in.ts';
import type { DiagnosedRun } from './measure.ts';

/** A run against a service whose bugs are known, as a file of these lists them by name. */
interface RecordedRun {
  /** Beside the file, or an absolute path. */
  readonly journal: string;
  readonly bugs: DiagnosedRun['bugs'];
}

/** The runs that a file lists: `{ "NAME": { "journal": "PATH", "bugs": [["DEFECT", …], …] }, … }`. */
export function recordedRuns(file: string): readonly DiagnosedRun[] {
  const listed: Readonly<Record<string, RecordedRun>> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(listed).map(([name, { journal, bugs }]) => {
    const recording = readJournal(resolve(dirname(file), journal));
    return { name, bugs, symptoms: symptomsIn(recordedFindings(recording, INVARIANTS)) };
  });
}
