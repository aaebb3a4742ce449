import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { baselineText, knownFailures, makeBaseline } from '../../../suites/engine/files/apply-baseline.ts';
import type { KnownFailure } from '../../../suites/engine/model/entry-schema.ts';
import type { KnownFailures } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { prepareFile, writeWhole } from '../terminal/write-file.ts';
import type { CheckFlags } from './check-table.ts';
import type { Catalogue } from './select-checks.ts';

/** The baseline that a run leaves for the next one, and what stood there before. */
export interface NextBaseline {
  readonly file: string;
  readonly before: readonly KnownFailure[];
}

/**
 * Reads the baseline, unless it is the one that this run makes, and the one that is to be rewritten, whose reasons are kept.
 * @throws {UsageError | FileError} When either cannot be used.
 */
export async function resolveBaselines(
  { baseline, writeBaseline: asked, plan }: CheckFlags,
  { checks, invariants }: Catalogue,
): Promise<{ readonly known?: KnownFailures; readonly next?: NextBaseline }> {
  const file = asked === true ? baseline : asked;
  if (asked === true && file === undefined)
    throw new UsageError('--write-baseline needs a file: name it there, or as the baseline');
  const listedIn = async (each = ''): Promise<readonly KnownFailure[] | undefined> => {
    if (!existsSync(each)) return undefined;
    const { readBaseline } = await import('../../../suites/engine/files/read-baseline.ts');
    return readBaseline(each, [...checks, ...invariants]);
  };
  const listed = await listedIn(baseline);
  // A plan judges nothing: it may come before the first run.
  const isExpected = plan === undefined && resolve(baseline ?? '') !== resolve(file ?? '');
  if (baseline !== undefined && listed === undefined && isExpected)
    throw new UsageError(`there is no baseline ${baseline}: --write-baseline makes it`);
  const known = listed && { known: knownFailures(listed, new Date().toISOString()) };
  if (file === undefined) return { ...known };
  const before = (await listedIn(file)) ?? [];
  prepareFile(file);
  return { ...known, next: { file, before } };
}

export function writeBaseline(summary: Summary, { file, before }: NextBaseline): void {
  writeWhole(file, baselineText(makeBaseline(summary, before)));
  noteLine(`Written: ${file}`);
}
