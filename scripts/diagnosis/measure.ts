import { INVARIANTS } from '../../suites/invariants.ts';
import { likelyCauses } from '../../suites/kit/diagnosis/likely-causes.ts';
import type { KnownBug } from '../../suites/kit/diagnosis/signature.ts';
import type { Symptom } from '../../suites/kit/diagnosis/symptoms.ts';
import type { LikelyCause } from '../../suites/kit/model/summary.ts';

/** A run against a service, and the known bugs that tell of its own: any of them for each. */
export interface DiagnosedRun {
  readonly name: string;
  readonly bugs: readonly (readonly string[])[];
  readonly symptoms: readonly Symptom[];
}

/** How well bugs are named, over many runs. */
export interface DiagnosisMeasure {
  readonly runs: number;
  /** Bugs that show: a check failed that the bug alone makes fail. */
  readonly bugs: number;
  /** Of these, how many a run names first for their cause, and among three. */
  readonly first: number;
  readonly amongThree: number;
  /** Causes that the runs call likely, and how many of them are no bug of the service. */
  readonly likely: number;
  readonly wrong: number;
}

/** The latest published measure. */
export const MEASURE_FILE = new URL('measured.json', import.meta.url);

/** On what the signatures were not made from. */
export interface Measure {
  readonly combined: DiagnosisMeasure;
  readonly inOtherWays: DiagnosisMeasure;
  readonly second: DiagnosisMeasure;
  /** Bugs that are taken out of the known ones before they are looked for: no cause is right. */
  readonly unknown: Pick<DiagnosisMeasure, 'runs' | 'likely'>;
}

const IS_INVARIANT: ReadonlySet<string> = new Set(INVARIANTS.map(({ id }) => id));

/** What a diagnosis says of each run, held to what is known of its service. `onMiss` gets a line for each mistake. */
export function measure(
  runs: readonly DiagnosedRun[],
  known: readonly KnownBug[],
  onMiss: (line: string) => void = () => {},
): DiagnosisMeasure {
  const measured = { runs: runs.length, bugs: 0, first: 0, amongThree: 0, likely: 0, wrong: 0 };
  for (const run of runs) {
    const causes = causesOf(run, known);
    const first = new Set(causes.map(({ bugs: [bug] }) => bug?.name ?? ''));
    const three = new Set(causes.flatMap(({ bugs }) => bugs.slice(0, 3).map(({ name }) => name)));
    for (const bug of run.bugs) {
      if (!shows(bug, run, known)) continue;
      measured.bugs += 1;
      if (bug.some((name) => first.has(name))) measured.first += 1;
      if (bug.some((name) => three.has(name))) measured.amongThree += 1;
      else onMiss(`${run.name}: ${bug.join(' or ')} is not among ${said(causes)}`);
    }
    for (const cause of causes) {
      if (!cause.isLikely) continue;
      measured.likely += 1;
      const [named] = cause.bugs;
      if (run.bugs.some((bug) => bug.some((name) => name === named?.name))) continue;
      measured.wrong += 1;
      onMiss(`${run.name}: ${named?.name} is called likely, and is no bug of it`);
    }
  }
  return measured;
}

/** Leave-one-out: what is said of a bug that nobody knows. */
export function measureUnknown(
  runs: readonly DiagnosedRun[],
  known: readonly KnownBug[],
  onMiss: (line: string) => void,
): Measure['unknown'] {
  const measured = { runs: 0, likely: 0 };
  for (const run of runs) {
    const own = new Set(run.bugs.flat());
    if (!run.bugs.some((bug) => shows(bug, run, known))) continue;
    measured.runs += 1;
    const others = known.filter(({ name }) => !own.has(name));
    const likely = causesOf(run, others).filter(({ isLikely }) => isLikely);
    if (likely.length === 0) continue;
    measured.likely += 1;
    onMiss(`${run.name} is unknown, and called ${said(likely)}`);
  }
  return measured;
}

function causesOf({ symptoms }: DiagnosedRun, known: readonly KnownBug[]): readonly LikelyCause[] {
  return likelyCauses(symptoms, known, (check) => IS_INVARIANT.has(check));
}

/** Whether a check failed that such a bug alone makes fail: another bug of the service may hide it. */
function shows(bug: readonly string[], { symptoms }: DiagnosedRun, known: readonly KnownBug[]): boolean {
  const own = known.filter(({ name }) => bug.includes(name));
  const checks = new Set(own.flatMap(({ signs }) => [...signs.keys()]));
  return symptoms.some(({ check, failed }) => failed !== undefined && checks.has(check));
}

function said(causes: readonly LikelyCause[]): string {
  return causes
    .map(({ bugs }) => bugs.map(({ name, chance }) => `${name} ${chance.toFixed(2)}`).join(' | '))
    .join('; ');
}
