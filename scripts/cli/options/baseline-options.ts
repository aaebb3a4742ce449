import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Known } from '../../../suites/engine/files/read-baseline.ts';
import type { KnownFailure } from '../../../suites/engine/model/entry-schema.ts';
import type { KnownFailures } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { UsageError } from '../terminal/exit.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';
import type { CheckFlags } from './check-table.ts';

/** What a run is measured against, and what it leaves for the next one. */
export interface BaselineOptions {
  /** Undefined: nothing is known, and nothing out of date. */
  readonly known: KnownFailures | undefined;
  readonly write: { readonly file: string; readonly before: readonly KnownFailure[] } | undefined;
}

/**
 * Reads the baseline, unless it is the one that this run makes, and the one that is to be rewritten, whose reasons are kept.
 * @throws {UsageError | FileError} When either cannot be used.
 */
export async function resolveBaselineOptions(
  { baseline, writeBaseline: asked }: CheckFlags,
  { checks, invariants }: Readonly<Record<'checks' | 'invariants', Known>>,
): Promise<BaselineOptions> {
  const next = asked === true ? baseline : asked;
  if (asked === true && next === undefined)
    throw new UsageError('--write-baseline needs a file: name it there, or as the baseline');
  const isMade = baseline !== undefined && next !== undefined && resolve(baseline) === resolve(next);
  const read = async (file: string): Promise<readonly KnownFailure[]> =>
    existsSync(file) ? listedIn(file, [...checks, ...invariants]) : [];
  if (baseline !== undefined && !existsSync(baseline) && !isMade)
    throw new UsageError(`there is no baseline ${baseline}: --write-baseline makes it`);
  const isKnown = baseline !== undefined && existsSync(baseline);
  const known = isKnown ? await knownToday(await read(baseline)) : undefined;
  if (next === undefined) return { known, write: undefined };
  const before = await read(next);
  prepareFile(next);
  return { known, write: { file: next, before } };
}

/** @throws {FileError} When the baseline cannot be used. */
export async function listedIn(file: string, checks: Known): Promise<readonly KnownFailure[]> {
  const { readBaseline } = await import('../../../suites/engine/files/read-baseline.ts');
  return readBaseline(file, checks);
}

async function knownToday(listed: readonly KnownFailure[]): Promise<KnownFailures> {
  const { knownFailures } = await import('../../../suites/engine/files/apply-baseline.ts');
  return knownFailures(listed, new Date().toISOString());
}

/** The summary with what is known marked as such. */
export async function withBaseline(
  summary: Summary,
  listed: readonly KnownFailure[] | undefined,
): Promise<Summary> {
  if (listed === undefined) return summary;
  const { applyBaseline } = await import('../../../suites/engine/files/apply-baseline.ts');
  return applyBaseline(summary, listed);
}

/** Writes the new baseline, when one is wanted; returns where. */
export async function writeBaseline(
  summary: Summary,
  { write }: BaselineOptions,
): Promise<string | undefined> {
  if (write === undefined) return undefined;
  const { baselineText, makeBaseline } = await import('../../../suites/engine/files/apply-baseline.ts');
  writeWhole(write.file, baselineText(makeBaseline(summary, write.before)));
  return write.file;
}
