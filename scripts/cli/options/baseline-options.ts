import { existsSync } from 'node:fs';
import type { KnownFailure, readBaseline } from '../../../suites/kit/baseline/read-baseline.ts';
import type { KnownFailures } from '../../../suites/kit/model/run.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';
import type { CheckFlags } from './check-flags.ts';

/** What a run is measured against, and what it leaves for the next one. */
export interface BaselineOptions {
  /** Undefined: nothing is known, and nothing out of date. */
  readonly listed: readonly KnownFailure[] | undefined;
  /** The same, for the run. */
  readonly known?: KnownFailures;
  readonly write: { readonly file: string; readonly before: readonly KnownFailure[] } | undefined;
}

/**
 * Reads the baseline, and the one that is to be rewritten, whose reasons are kept.
 * @throws {UsageError | FileError} When either cannot be used.
 */
export async function resolveBaselineOptions(
  { baseline, writeBaseline: next }: CheckFlags,
  { checks, invariants }: Readonly<Record<'checks' | 'invariants', Parameters<typeof readBaseline>[1]>>,
): Promise<BaselineOptions> {
  const read = async (file: string): Promise<readonly KnownFailure[]> => {
    const reading = await import('../../../suites/kit/baseline/read-baseline.ts');
    return reading.readBaseline(file, [...checks, ...invariants]);
  };
  const listed = baseline === undefined ? undefined : await read(baseline);
  const known =
    listed &&
    (await import('../../../suites/kit/baseline/apply-baseline.ts')).knownFailures(listed, dayOf(new Date()));
  const reading = { listed, ...(known !== undefined && { known }) };
  if (next === undefined) return { ...reading, write: undefined };
  const before = existsSync(next) ? await read(next) : [];
  prepareFile(next);
  return { ...reading, write: { file: next, before } };
}

/** In UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** The summary with what is known marked as such; `now` decides what has expired. */
export async function withBaseline(
  summary: Summary,
  { listed }: BaselineOptions,
  now: Date,
): Promise<Summary> {
  if (listed === undefined) return summary;
  const { applyBaseline } = await import('../../../suites/kit/baseline/apply-baseline.ts');
  return applyBaseline(summary, listed, dayOf(now));
}

/** Writes the new baseline, when one is wanted; returns where. */
export async function writeBaseline(
  summary: Summary,
  { write }: BaselineOptions,
): Promise<string | undefined> {
  if (write === undefined) return undefined;
  const { baselineText, makeBaseline } = await import('../../../suites/kit/baseline/apply-baseline.ts');
  writeWhole(write.file, baselineText(makeBaseline(summary, write.before)));
  return write.file;
}
