import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import type { Fate, Mutant } from './mutant.ts';
import { type MutatedPart, TESTS_VARIABLE } from './mutated-parts.ts';

type StrykerMutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** Fates by the tool's own names. */
const FATES: Partial<Record<StrykerMutant['status'], Fate>> = {
  Killed: 'noticed',
  Timeout: 'noticed',
  Survived: 'survived',
  NoCoverage: 'survived',
};

const JUDGEMENTS_ONLY = fileURLToPath(new URL('judgements-only.ts', import.meta.url));

/** Every mutant of a part, each tried against the tests of the part. Takes minutes; less, unless `anew`, for what did not change. */
export async function mutatePart(
  name: string,
  { mutate, tests }: MutatedPart,
  anew: boolean,
): Promise<readonly Mutant[]> {
  // The test runner is another process: this is how its configuration learns which tests count.
  process.env[TESTS_VARIABLE] = JSON.stringify(tests);
  const reports = `reports/mutation/${name.replaceAll('/', '-')}`;
  const stryker = new Stryker({
    configFile: 'scripts/proof/mutation/stryker.config.json',
    appendPlugins: [JUDGEMENTS_ONLY],
    mutate: [...mutate],
    force: anew,
    jsonReporter: { fileName: `${reports}.json` },
    incrementalFile: `${reports}-incremental.json`,
  });
  const mutants = await stryker.runMutationTest();
  return mutants.map(mutantOf);
}

function mutantOf({ fileName, location: { start, end }, replacement, status }: StrykerMutant): Mutant {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const within = lines.slice(start.line - 1, end.line);
  const last = within.pop() ?? '';
  const code = [...within, last.slice(0, end.column - 1)].join('\n').slice(start.column - 1);
  return {
    file: relative('suites', fileName),
    line: (lines[start.line - 1] ?? '').trim(),
    from: onOneLine(code),
    to: onOneLine(replacement ?? ''),
    fate: FATES[status] ?? 'none',
  };
}

function onOneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim();
}
