import type { PastRun, RunOutcome, Summary } from '../model/summary.ts';
import { counted } from './display-verdict.ts';
import type { Table } from './tables.ts';

/** What a report says that no summary knows. */
export interface ReportContext {
  /** The release of this package. */
  readonly release: string;
  /** The file that stands for the service, from the root of its repository. */
  readonly sourceFile: string;
  /** The latest runs of the target, this one last. */
  readonly runs: readonly PastRun[];
}

/** What a run leaves for the history of its target. */
export function pastRunOf(
  { startedAt, seed, outcome, clauses }: Summary,
  of: Pick<PastRun, 'target' | 'release' | 'part'>,
): PastRun {
  const byVerdict = Object.groupBy(clauses, ({ verdict }) => verdict);
  const verdicts = Object.entries(byVerdict).map(([verdict, own]) => [verdict, own.map(({ id }) => id)]);
  return { ...of, startedAt, seed, outcome, verdicts: Object.fromEntries(verdicts) };
}

const MARKS: Readonly<Record<RunOutcome, string>> = { conformant: '✔', violations: '✘', incomplete: '!' };

/** How the latest runs of a target ended, with a mark for each, and what changed; undefined of a first run. */
export function historyOf(runs: readonly PastRun[]) {
  const [first] = runs;
  if (first === undefined || runs.length < 2) return undefined;
  const since = first.startedAt.slice(0, 'yyyy-mm-dd'.length);
  const legend = Object.entries(MARKS).map(([outcome, mark]) => `${mark} ${outcome}`);
  const bracketed = runs.some(({ part }) => part) ? ', in brackets: a part of the checks' : '';
  return {
    marks: runs.map((run) => ({
      outcome: run.outcome,
      mark: run.part ? `(${MARKS[run.outcome]})` : MARKS[run.outcome],
      title: titleOf(run),
    })),
    caption: `${counted(runs.length, 'run')} since ${since}, the latest last: ${legend.join(', ')}${bracketed}`,
    changes: changeTable(runs),
  };
}

function titleOf({ startedAt, seed, release, outcome }: PastRun): string {
  return `${startedAt}, seed ${seed}, release ${release}: ${outcome}`;
}

/** Only these are known of the target: any other verdict says what a run did not see. */
const DECIDED = ['pass', 'warn', 'fail'] as const;

const MOST_CHANGES = 10;

/** The latest changes of a clause's verdict: each against the last run that decided it. */
function changeTable(runs: readonly PastRun[]): Table {
  const known = new Map<string, string>();
  const changes = runs.flatMap(({ startedAt, release, verdicts }) =>
    DECIDED.flatMap((verdict) =>
      (verdicts[verdict] ?? []).flatMap((clause) => {
        const before = known.get(clause) ?? verdict;
        known.set(clause, verdict);
        const cells = [startedAt, { said: release }, { said: clause }, `${before} → ${verdict}`];
        return before === verdict ? [] : { cells };
      }),
    ),
  );
  const head = ['run', 'release', 'clause', 'verdict'];
  return { title: 'Latest changes', head, rows: changes.slice(-MOST_CHANGES).toReversed() };
}
