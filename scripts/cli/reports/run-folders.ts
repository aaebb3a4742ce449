import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readText } from '../../../suites/engine/text/read-json-file.ts';
import { UsageError } from '../terminal/exit.ts';
import { freshName } from '../terminal/write-file.ts';

/** Where runs against a live target go, unless `--report` says otherwise: a folder for each. */
export const RUNS_FOLDER = 'chat-conformance-report';

const LATEST = 'latest';

/** How many runs are kept. */
const MOST_RUNS = 10;

/** The time at which a run started, without the colons that Windows forbids, and its seed. */
const RUN_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d+$/;

/** The folder of a run that starts now. */
export function runFolder(seed: number, now = new Date()): string {
  return join(RUNS_FOLDER, `${now.toISOString().replaceAll(':', '-')}-${seed}`);
}

/** The folders of the runs in this working folder, the latest first: their names begin with the time. */
export function recentRuns(): readonly string[] {
  try {
    const entries = readdirSync(RUNS_FOLDER, { withFileTypes: true });
    const runs = entries.filter((each) => each.isDirectory() && RUN_NAME.test(each.name));
    const names = runs.map(({ name }) => name).toSorted();
    return names.toReversed().map((name) => join(RUNS_FOLDER, name));
  } catch {
    return [];
  }
}

/**
 * The folder of the latest run, for a command that was given none.
 * @throws {UsageError} When there is none.
 */
export function latestRun(): string {
  const [latest] = recentRuns();
  if (latest !== undefined) return latest;
  throw new UsageError(`there is no run in ${RUNS_FOLDER}: name a journal or a report folder`);
}

/** Points `latest` at a folder that has just been made, and deletes the oldest runs beyond ten. */
export function registerRun(folder: string): void {
  pointLatest(folder);
  const others = recentRuns().filter((each) => each !== folder);
  for (const each of others.slice(MOST_RUNS - 1)) deleteRun(each);
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
  const link = join(RUNS_FOLDER, LATEST);
  const fresh = freshName(link);
  try {
    const before = lstatSync(link, { throwIfNoEntry: false });
    if (before !== undefined && !before.isSymbolicLink()) return;
    // A junction needs no privilege on Windows, but a whole path, and does not take the place of another.
    if (process.platform === 'win32') {
      if (before !== undefined) unlinkSync(link);
      return symlinkSync(resolve(folder), link, 'junction');
    }
    symlinkSync(folder.slice(RUNS_FOLDER.length + 1), fresh);
    renameSync(fresh, link);
  } catch {
    rmSync(fresh, { force: true });
  }
}

/** The files that runs and reports write, and the journals of replays that earlier releases wrote. */
const OWN_FILE =
  /^(?:journal(?:-[\w.-]+)?\.ndjson|replay-[\w.-]+\.ndjson|report\.(?:json|html)|junit\.xml|summary\.md|plan\.json)$/;

/** Deletes no file but those that a run writes, and therefore no folder with another one in it. */
function deleteRun(folder: string): void {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (!entries.every((each) => each.isFile() && OWN_FILE.test(each.name))) return;
    for (const { name } of entries) unlinkSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // Somebody else may be deleting it, or may forbid it: it stays.
  }
}

/** Which run a `report.json` is about. */
export interface ReportHead {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly baseUrl: string | undefined;
  /** `mock` or `live`; `passing`: it sent nothing, and judged what others sent. */
  readonly kind: unknown;
  readonly hasBegun: boolean;
}

/** Names of files are made of it. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Undefined for a file that is no report. The whole report is read elsewhere, by its schema. */
export function reportHead(file: string): ReportHead | undefined {
  try {
    const report: Partial<Record<string, unknown>> = { ...JSON.parse(readText(file)) };
    const { format, startedAt, target, notBegun } = report;
    if (format !== 'chat-conformance/report' || typeof startedAt !== 'string' || !DATE.test(startedAt))
      return undefined;
    const { baseUrl, kind, passing }: Partial<Record<string, unknown>> = { ...Object(target) };
    return {
      startedAt,
      baseUrl: typeof baseUrl === 'string' ? baseUrl : undefined,
      kind: passing === true ? 'passing' : kind,
      hasBegun: notBegun === undefined,
    };
  } catch {
    return undefined;
  }
}
