import { beforeAll, test } from 'vitest';
import type { CheckResult, Summary } from '../suites/kit/model/summary.ts';
import { withoutColours } from '../suites/kit/reporting/colours.ts';
import { isFailing } from '../suites/kit/reporting/display-verdict.ts';
import { failureLines } from '../suites/kit/reporting/terminal/failures.ts';
import { resolveCheckOptions } from './cli/check/check-options.ts';
import { runCheck } from './cli/check/run-check.ts';
import { withService } from './cli/check/with-service.ts';
import { applyConfiguration } from './cli/config/apply-configuration.ts';
import { catalogueOf } from './cli/modules/catalogue-of.ts';
import { withBaseline } from './cli/options/baseline-options.ts';
import { selectChecks } from './cli/options/select-checks.ts';
import { fillPort } from './cli/service/fill-port.ts';

// The contributors' front of the engine: the verdicts are those of the command, one test each.

const { CHAT_BASE_URL, CHAT_CONTROL_URL, CHAT_CONFIG, CHAT_TARGET } = process.env;

/** A variable that is set to nothing counts as absent. */
function flag<N extends string>(name: N, value: string | undefined): Partial<Record<N, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed name widens to string
  return (value === undefined || value === '' ? {} : { [name]: value }) as Partial<Record<N, string>>;
}

const { flags } = await applyConfiguration({
  ...flag('baseUrl', CHAT_BASE_URL),
  ...flag('controlUrl', CHAT_CONTROL_URL),
  ...flag('config', CHAT_CONFIG),
  ...flag('target', CHAT_TARGET),
});
const all = await catalogueOf(flags);
const { checks, invariants, judges } = selectChecks(all, flags.only ?? [], flags.skip ?? []);

let summary: Summary;
let warns: boolean;

beforeAll(async () => {
  const options = await resolveCheckOptions(await fillPort(flags), process.env, all);
  warns = options.failOn.has('warn');
  const { signal } = new AbortController();
  const found = await withService(options, signal, () => runCheck(options));
  summary = await withBaseline(found, options.baseline, new Date());
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

for (const { id, title } of [...(judges === undefined ? checks : []), ...invariants]) {
  // oxlint-disable-next-line vitest/expect-expect -- the engine has judged; an expectation would bury its evidence
  test(`${id}: ${title}`, ({ skip }) => {
    const result = resultOf(id);
    const { verdict, reason, known } = result;
    if (isFailing(result) || (warns && verdict === 'warn' && known === undefined)) throw evidenceOf(result);
    skip(known !== undefined, `known: ${known?.join(', ')}`);
    skip(verdict === 'not-exercised' || verdict === 'inconclusive', `${verdict}: ${reason}`);
  });
}
