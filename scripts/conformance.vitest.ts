import { beforeAll, test } from 'vitest';
import { CHECKS } from '../suites/catalogue.ts';
import { INVARIANTS } from '../suites/invariants.ts';
import type { CheckResult, Summary } from '../suites/kit/model/summary.ts';
import { withoutColours } from '../suites/kit/reporting/colours.ts';
import { failureLines } from '../suites/kit/reporting/terminal/failures.ts';
import { resolveCheckOptions } from './cli/check/check-options.ts';
import { runCheck } from './cli/check/run-check.ts';

// The contributors' front of the engine: the verdicts are those of the command, one test each.

const baseUrl = process.env['CHAT_BASE_URL'] ?? '';
const controlUrl = process.env['CHAT_CONTROL_URL'] ?? '';
const flags = { ...(baseUrl !== '' && { baseUrl }), ...(controlUrl !== '' && { controlUrl }) };

let summary: Summary;

beforeAll(async () => {
  summary = await runCheck(
    await resolveCheckOptions(flags, process.env, { checks: CHECKS, invariants: INVARIANTS }),
  );
});

function resultOf(id: string): CheckResult {
  const result = summary.checks.find((candidate) => candidate.id === id);
  if (result === undefined) throw new Error('the run gave no verdict');
  return result;
}

/** Only text: a value that cannot be cloned would lose the results of the whole file. */
function evidenceOf(result: CheckResult): Error {
  return new Error(failureLines(result, result.again, withoutColours).join('\n'));
}

for (const { id, title } of [...CHECKS, ...INVARIANTS]) {
  // oxlint-disable-next-line vitest/expect-expect -- the engine has judged; an expectation would bury its evidence
  test(`${id}: ${title}`, ({ skip }) => {
    const result = resultOf(id);
    const { verdict, reason } = result;
    skip(verdict === 'not-exercised' || verdict === 'inconclusive', `${verdict}: ${reason}`);
    if (verdict === 'fail' || verdict === 'error') throw evidenceOf(result);
  });
}
