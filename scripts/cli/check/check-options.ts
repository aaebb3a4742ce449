import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { knownFailures } from '../../../suites/engine/files/apply-baseline.ts';
import type { KnownFailure } from '../../../suites/engine/model/entry-schema.ts';
import type { RunOptions, Target } from '../../../suites/engine/model/run.ts';
import type { RememberedFailure } from '../../../suites/engine/model/stimulus.ts';
import { PORT } from '../../caller/process-group.ts';
import { selectChecks, type Catalogue } from '../modules/catalogue.ts';
import { sizeOf, type ResolvedFlags } from '../options/check-table.ts';
import { LARGEST_SEED, millisecondsOf, paceOf } from '../options/kinds.ts';
import { lastingUrl, resolveTarget } from '../options/target-options.ts';
import { againCommand } from '../reports/again-command.ts';
import { historyFile, makeReportFolder } from '../reports/report-folder.ts';
import { noteLine, UsageError } from '../terminal/terminal.ts';
import { prepareFile } from '../terminal/write-file.ts';
import { fillPort } from './start-service.ts';

export type CheckOptions = Awaited<ReturnType<typeof resolveCheckOptions>>;

type Run = Omit<RunOptions, 'target' | 'control' | 'signal' | 'onProgress'>;

/**
 * Resolves the flags, which may have `{port}`, before anything is sent or started. `remembered`: what failed before, and is
 * sent first.
 */
export async function resolveCheckOptions(
  withPort: ResolvedFlags,
  all: Catalogue,
  remembered: readonly RememberedFailure[] = [],
) {
  const flags = fillPort(withPort);
  const { seed = randomInt(LARGEST_SEED), report, plan = false, start, given } = flags;
  const { target, control } = await resolveTarget(flags);
  const selected = selectChecks(all, flags);
  if (flags.sourceFile !== undefined) noteMissing(flags.sourceFile);
  const { known, next } = await resolveBaselines(flags, all);
  const again = againCommand(given, seed);
  const size = sizeIn(flags, target.kind);
  const run: Run = { ...selected, ...size, seed, again, remembered, known, failOn: flags.failOn };
  // A plan keeps nothing, and a run of the mock only where it is told to.
  const isKept = !plan && (report !== undefined || target.kind === 'live');
  const folder = given.start === undefined ? flags.folder : process.cwd();
  const kept = isKept ? makeReportFolder(report, [seed, flags.target ?? []].flat().join('-')) : undefined;
  return {
    target,
    control,
    run,
    /** Whether it is a run of nothing but what failed before. */
    lastFailed: flags.lastFailed === true,
    /** The baseline that the run leaves for the next one, and what stood there before. */
    nextBaseline: next,
    /** The folder of the journal and the reports. It is made last. */
    report: kept,
    /** What its reports say beside its summary. A plan is no run, and a watch has too many. */
    places: {
      sourceFile: flags.sourceFile,
      history: plan || flags.watch !== undefined ? undefined : historyIn(withPort, kept),
    },
    quiet: flags.quiet === true,
    /** Present: the run starts it, and ends it. */
    service: start === undefined ? undefined : { command: start, folder },
    /** Seconds to wait for the target. */
    wait: flags.wait,
  };
}

/** A path from the root of a repository, which may be the working folder or above it; a container may hold none of it. */
function noteMissing(sourceFile: string): void {
  for (let folder = process.cwd(); !existsSync(join(folder, sourceFile)); folder = dirname(folder))
    if (folder === dirname(folder))
      return noteLine(`warning: --source-file ${sourceFile}: no such file here or in a folder above`);
}

/** Where the history of a target is, which is kept where the reports are or a file is named. */
function historyIn(flags: ResolvedFlags, report: string | undefined) {
  const file = flags.history ?? (report === undefined ? undefined : historyFile(report));
  if (file === undefined) return undefined;
  prepareFile(file);
  const { only, skip, send, lastFailed } = flags.given;
  const url = lastingUrl(flags) ?? 'mock';
  const target = url.includes(PORT) ? (flags.target ?? url) : url;
  const isPart = (only ?? skip ?? send ?? lastFailed) !== undefined;
  return { file, of: { target, ...(isPart && { part: true as const }) } };
}

/** How much a run sends, and how fast. */
function sizeIn(flags: ResolvedFlags, kind: Target['kind']) {
  const { runs, concurrency, maxFailures, allow, pace } = flags;
  const { maxRequests: requests, maxCompletions: completions, maxOutputTokens: outputTokens } = flags;
  return {
    runs,
    concurrency,
    maxFailures,
    allow: new Set(allow),
    pace: pace === undefined ? undefined : paceOf(pace),
    maxTimeMs: millisecondsOf(flags.maxTime),
    timeoutMs: flags.timeout,
    caps: { requests, completions, outputTokens },
    withholds: sizeOf(flags.tier, kind).withholds,
  };
}

/** Reads the baseline, unless it is the one that this run makes, and the one that is to be rewritten, whose reasons are kept. */
async function resolveBaselines(
  { baseline, writeBaseline: asked, plan }: ResolvedFlags,
  { checks, invariants }: Catalogue,
) {
  const file = asked === true ? baseline : asked;
  if (asked === true && file === undefined)
    throw new UsageError('--write-baseline needs a file: name it there, or with --baseline');
  const listedIn = async (each = ''): Promise<readonly KnownFailure[] | undefined> => {
    if (!existsSync(each)) return undefined;
    const { readBaseline } = await import('../../../suites/engine/files/read-baseline.ts');
    return readBaseline(each, [...checks, ...invariants]);
  };
  const listed = await listedIn(baseline);
  // A plan judges nothing: it may come before the first run.
  const isExpected = plan === undefined && resolve(baseline ?? '') !== resolve(file ?? '');
  if (baseline !== undefined && listed === undefined && isExpected)
    throw new UsageError(`there is no baseline ${baseline}: --write-baseline creates it`);
  const before = (await listedIn(file)) ?? [];
  if (file !== undefined) prepareFile(file);
  return {
    known: listed && knownFailures(listed, new Date().toISOString()),
    next: file === undefined ? undefined : { file, before },
  };
}
