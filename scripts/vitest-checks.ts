import { beforeAll, test } from 'vitest';
import { applyBaseline } from '../suites/engine/files/apply-baseline.ts';
import { askedFor } from '../suites/engine/model/run.ts';
import type { CheckResult, Summary } from '../suites/engine/model/summary.ts';
import { withoutColours } from '../suites/engine/reports/colours.ts';
import { isFailing, isWarning } from '../suites/engine/reports/display-verdict.ts';
import { failureLines } from '../suites/engine/reports/failure-parts.ts';
import { incompleteReasons } from '../suites/engine/reports/sections.ts';
import { printable, safeLines } from '../suites/engine/text/printable.ts';
import { reworded, runCheck } from './cli/check/check-command.ts';
import { resolveCheckOptions } from './cli/check/check-options.ts';
import { withService } from './cli/check/with-service.ts';
import { resolveFlags } from './cli/config/resolve-flags.ts';
import { catalogueOf, type Catalogue, selectChecks } from './cli/modules/catalogue.ts';
import type { ResolvedFlags } from './cli/options/check-table.ts';

/**
 * Declares one test for each check, whose verdicts are those of the command, and one for the run. `CHAT_BASE_URL`, `CHAT_CONTROL_URL`,
 * `CHAT_CONFIG` and `CHAT_TARGET` stand for its flags, and the configuration counts as there.
 */
export function conformanceTests(): Promise<void> {
  return declareTests().catch(throwSafely);
}

async function declareTests(): Promise<void> {
  const flags = await resolveFlags({});
  const all = await catalogueOf(flags);
  const declared = askedFor(selectChecks(all, flags));
  let summary: Summary | undefined;
  // The engine has its own deadlines; a timeout here would not stop its requests.
  beforeAll(async () => {
    summary = await summaryOf(flags, all).catch(throwSafely);
  }, 0);
  const warningsFail = flags.failOn?.includes('warn') === true;
  const failureIn = (result: CheckResult): readonly string[] => {
    if (!isFailing(result) && !(warningsFail && isWarning(result))) return [];
    return failureLines(result, withoutColours, 'screen');
  };
  for (const { id, title } of declared) {
    // oxlint-disable-next-line vitest/expect-expect -- the engine has judged; an expectation would bury its evidence
    test(`${id}: ${safeLines(printable(title))}`, ({ skip }) => {
      const result = summary?.checks.find((candidate) => candidate.id === id);
      if (result === undefined) throw new Error('the run gave no verdict');
      const { verdict, reason, known } = result;
      const failure = failureIn(result);
      if (failure.length > 0) throw failureOf(failure);
      // Older releases of vitest skip whatever the condition is.
      if (known !== undefined) skip(noteOf('known', known.join(', ')));
      if (verdict === 'not-exercised' || verdict === 'inconclusive') skip(noteOf(verdict, reason));
    });
  }
  // oxlint-disable-next-line vitest/expect-expect -- as above
  test(`the run of ${flags.baseUrl ?? 'the bundled mock'} is complete`, () => {
    if (summary === undefined) return;
    const { checks, outcome, cutShort } = summary;
    // An invariant that was not selected fails in place of a check.
    const others = checks.filter((result) => declared.every(({ id }) => id !== result.id)).flatMap(failureIn);
    if (others.length === 0 && outcome !== 'incomplete') return;
    throw failureOf([...others, ...cutShort, ...incompleteReasons(summary)]);
  });
}

async function summaryOf(flags: ResolvedFlags, all: Catalogue): Promise<Summary> {
  const options = await resolveCheckOptions(flags, all);
  const summary = await withService(options, new AbortController().signal, () => runCheck(options));
  return applyBaseline(summary, options.run.known?.listed);
}

/** Vitest prints titles, notes and messages as they are. */
function noteOf(what: string, text: string): string {
  return safeLines(`${what}: ${printable(text)}`);
}

/** Only text: a value that cannot be cloned would lose the results of the whole file. */
function failureOf(lines: readonly string[]): Error {
  return new Error(safeLines(lines.join('\n')));
}

function throwSafely(error: unknown): never {
  throw reworded(error, (text) => safeLines(text));
}
