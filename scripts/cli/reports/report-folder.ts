import {
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { JsonReport, PastRun } from '../../../suites/engine/model/summary.ts';
import { errorCode, readText } from '../../../suites/engine/text/read-json-file.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { PORT } from '../../caller/process-group.ts';
import type { ResolvedFlags } from '../options/check-table.ts';
import { lastingUrl } from '../options/target-options.ts';
import { invocation } from '../terminal/own-package.ts';
import { noteLine, UsageError } from '../terminal/terminal.ts';
import { prepareFile, PRIVATE_FILE } from '../terminal/write-file.ts';

/** Where runs against a live target go, unless `--report` says otherwise: a folder for each. */
export const RUNS_FOLDER = 'chat-conformance-report';

export const JOURNAL = 'journal.ndjson';

/** The files of a report folder that are made of a summary. */
export const REPORT_FILES = [
  ...(['report.json', 'junit.xml', 'summary.md', 'report.html'] as const),
  ...(['report.sarif', 'gl-code-quality-report.json'] as const),
] as const;

/** How many runs are kept, of each target that has a name. */
const MOST_RUNS = 10;

/** The time at which a run started, without the colons that Windows forbids, its seed, and the name of its target. */
const RUN_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+(?<target>-[\w.-]+)?$/;

/**
 * Makes the folder of a run if it is missing, and tries whether reports can be written to it: the given folder, or else a
 * new one, which is the `latest` and takes the place of the oldest of ten. `run`: its seed, and the name of its target.
 */
export function makeReportFolder(given: string | undefined, run: number | string = 0, now = new Date()) {
  const folder = given ?? join(RUNS_FOLDER, `${now.toISOString().replaceAll(':', '-')}-${run}`);
  for (const name of REPORT_FILES) prepareFile(join(folder, name), `to the report folder ${folder}`);
  if (given !== undefined) return folder;
  pointLatest(folder);
  const others = recentRuns().filter((each) => each !== folder && targetIn(each) === targetIn(folder));
  for (const each of others.slice(MOST_RUNS - 1)) deleteRun(each);
  return folder;
}

function targetIn(folder: string): string | undefined {
  return RUN_NAME.exec(basename(folder))?.groups?.['target'];
}

/** Where the history of a report folder is: in it, or beside the folders of runs, which are deleted in time. */
export function historyFile(report: string): string {
  return join(dirname(report) === RUNS_FOLDER ? RUNS_FOLDER : report, 'history.ndjson');
}

/** How many runs of a target a history keeps: a line for each. */
const MOST_KEPT = 50;

/** How many of them a report shows. */
const MOST_SHOWN = 30;

/** The runs of a history, the oldest first. Drops each line that cannot be read: a history is a convenience. */
async function readHistory(file: string): Promise<readonly PastRun[]> {
  if (!existsSync(file)) return [];
  // Heavy, and the first run of a target reads no history.
  const { pastRunSchema } = await import('../../../suites/engine/model/summary.ts');
  const lines = readText(file).split('\n');
  return lines.flatMap((line) => {
    try {
      return pastRunSchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return [];
    }
  });
}

/** A history with another run, without the oldest of its target: its text, and the latest runs of the target, this one last. */
export async function withRun(file: string, run: PastRun) {
  const before = await readHistory(file);
  const own = [...before.filter(({ target }) => target === run.target), run].slice(-MOST_KEPT);
  const others = before.filter(({ target }) => target !== run.target);
  const text = [...others, ...own].map((each) => `${JSON.stringify(each)}\n`).join('');
  return { text, runs: own.slice(-MOST_SHOWN) };
}

/** Deletes what a run has left in a folder of its own, because it says nothing. */
export function discardRun(folder: string): void {
  if (dirname(folder) !== RUNS_FOLDER) return;
  deleteRun(folder);
  const [latest] = recentRuns();
  if (latest !== undefined) pointLatest(latest);
}

/** A convenience: where links cannot be made, or somebody else's `latest` is in the way, there is none. */
function pointLatest(folder: string): void {
  const link = join(RUNS_FOLDER, 'latest');
  try {
    const before = lstatSync(link, { throwIfNoEntry: false });
    if (before?.isSymbolicLink() === false) return;
    if (before !== undefined) unlinkSync(link);
    // A junction needs no privilege on Windows, but a whole path.
    symlinkSync(process.platform === 'win32' ? resolve(folder) : basename(folder), link, 'junction');
  } catch {
    // Another run may be making it.
  }
}

/** The journals of a run, also those that were set aside. */
const JOURNALS = /^journal(?:-[\w.-]+)?\.ndjson$/;

/** Deletes no file but those that a run writes, and therefore no folder with another one in it. */
function deleteRun(folder: string): void {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const others = entries.filter(
      ({ name }) => !JOURNALS.test(name) && !REPORT_FILES.some((own) => own === name),
    );
    if (others.length > 0 || !entries.every((each) => each.isFile())) return;
    for (const { name } of entries) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // Somebody else may be deleting it, or may forbid it: it stays.
  }
}

/** The folders of the runs in this working folder, the latest first: their names begin with the time. */
export function recentRuns(): readonly string[] {
  if (!existsSync(RUNS_FOLDER)) return [];
  const entries = readdirSync(RUNS_FOLDER, { withFileTypes: true });
  const runs = entries.filter((each) => each.isDirectory() && RUN_NAME.test(each.name));
  const names = runs.map(({ name }) => name).toSorted();
  return names.toReversed().map((name) => join(RUNS_FOLDER, name));
}

/** The runs in this working folder, and those in these folders, that have a report: the latest first. */
export function pastRuns(others: readonly string[] = []) {
  const runs = [...new Set([...others, ...recentRuns()])].flatMap((folder) => pastRun(folder) ?? []);
  return runs.toSorted((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

/**
 * The folder of the latest run of the target of these flags, which still have `{port}` in the base URL: services on a free port
 * differ only in their names.
 */
export function lastRunOf(flags: ResolvedFlags): string | undefined {
  const wanted = lastingUrl(flags);
  const { report = RUNS_FOLDER, target = '' } = flags;
  return pastRuns([report, join(report, target)]).find(({ kind, baseUrl, name = '' }) => {
    if (wanted === undefined) return kind === 'mock';
    if (kind !== 'live' || !wanted.includes(PORT)) return kind === 'live' && baseUrl === wanted;
    return name === target && baseUrl.replace(/:\d+(?=\/)/, `:${PORT}`) === wanted;
  })?.folder;
}

/** A run that began, by its report: only what tells runs apart. */
function pastRun(folder: string) {
  try {
    const report: Partial<JsonReport> = JSON.parse(readText(join(folder, 'report.json')));
    const { format, startedAt, notBegun, target } = report;
    if (format !== 'chat-conformance/report' || notBegun !== undefined) return undefined;
    // A proxy sent nothing, and judged what others sent.
    const kind = target?.passing === true ? 'passing' : target?.kind;
    return { folder, startedAt: `${startedAt}`, baseUrl: `${target?.baseUrl}`, name: target?.name, kind };
  } catch {
    return undefined;
  }
}

/** Opens a new journal for appending. Moves that of an earlier run aside, under the time at which it was last written. */
export function openJournal(file: string): number {
  try {
    const written = statSync(file, { throwIfNoEntry: false })?.mtime;
    if (written !== undefined) {
      const aside = join(dirname(file), `journal-${written.toISOString().replaceAll(':', '-')}.ndjson`);
      renameSync(file, aside);
      const way = `${invocation()} report ${shellWord(aside)}`;
      noteLine(`Kept the previous journal as ${aside}; its report: ${way}`);
    }
    // Exclusive: does not overwrite the journal of a run that began meanwhile.
    return openSync(file, 'ax', PRIVATE_FILE);
  } catch (error) {
    throw new UsageError(`cannot begin the journal ${file} (${errorCode(error)})`);
  }
}
