import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DefectName } from '../../mock-server/defects/defects.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { Symptom } from '../../suites/kit/diagnosis/symptoms.ts';
import { lineOf } from '../../suites/kit/journal/journal-lines.ts';
import { recordingOf, readJournal } from '../../suites/kit/journal/read-journal.ts';
import type { Entry } from '../../suites/kit/model/journal.ts';
import { KeyRefused, TargetUnreachable } from '../../suites/kit/preflight/discover-target.ts';
import { recordedFindings } from '../../suites/kit/recorded/recorded-findings.ts';
import { symptomsIn } from '../../suites/kit/summary/causes-in.ts';
import type { ProofWorld } from '../proof/model/proof-world.ts';
import { summaryOf } from '../proof/proof-run.ts';
import type { DiagnosedRun } from './measure.ts';

/** A run at live size to make: against a service that is wrong for known reasons. */
export interface SymptomJob {
  readonly world: ProofWorld;
  readonly seed: number;
  /** The mock's defects that tell of its bugs, any of them for each bug. */
  readonly bugs: readonly (readonly DefectName[])[];
}

/** What such a run found. */
export interface SymptomRun extends SymptomJob {
  readonly name: string;
  readonly symptoms: readonly Symptom[];
  /** The clauses that it blames. */
  readonly blamed: ReadonlySet<string>;
}

/** Runs under way at once: they mostly wait. */
const AT_ONCE = 24;

/** Makes all these runs; those that cannot begin are left out. */
export async function makeSymptomRuns(
  jobs: readonly SymptomJob[],
  onEnd: (done: number) => void,
): Promise<readonly SymptomRun[]> {
  const runs = new Map<SymptomJob, SymptomRun>();
  const queue = jobs[Symbol.iterator]();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const job of queue) {
      const run = await symptomRun(job);
      if (run !== undefined) runs.set(job, run);
      onEnd((done += 1));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return jobs.flatMap((job) => runs.get(job) ?? []);
}

async function symptomRun(job: SymptomJob): Promise<SymptomRun | undefined> {
  const service = await job.world.start(job.seed);
  const entries: Entry[] = [];
  const journal = {
    // As the lines of a file: nothing in them changes afterwards.
    append: (entry: Entry) => void entries.push(JSON.parse(JSON.stringify(entry))),
    failure: () => undefined,
    last: () => undefined,
  };
  try {
    const { clauses } = await summaryOf(service, 'live', { seed: job.seed, journal });
    const lines = entries.map(lineOf);
    const recording = recordingOf(lines, 'a run of the proof');
    const blamed = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    return {
      ...job,
      name: job.world.name,
      symptoms: symptomsIn(recordedFindings(recording, INVARIANTS)),
      blamed: new Set(blamed.map(({ id }) => id)),
    };
  } catch (error) {
    if (error instanceof TargetUnreachable || error instanceof KeyRefused) return undefined;
    throw error;
  } finally {
    await service.close();
  }
}

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
