import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DefectName } from '../../../mock-server/defects/defects.ts';
import { startMock } from '../../../mock-server/start-mock.ts';
import { readReport } from '../../../suites/kit/reporting/report-schema.ts';
import { callCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';
import { SIX_BUG_KEYS, startSixBugService } from './six-bug-service.ts';

/** A service with these bugs, and a default run against it. */
async function diagnosed(...defect: readonly DefectName[]) {
  const mock = await startMock({ defect });
  onTestFinished(() => mock.close());
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', mock.url, '--seed', '5', '--report', report];
  const { stdout } = await callCommand(args, { CHAT_API_KEY: mock.keys['primary'] ?? '' });
  return { report, stdout, ...readReport(report) };
}

const SIX: readonly DefectName[] = [
  'unknown-fields-stripped',
  'scheme-optional',
  'errors-without-code',
  'stream-without-usage',
  'max-tokens-ignored',
  'model-trimmed',
];

test('names each of six bugs of a service in one default run', async () => {
  const { causes = [], stdout, report, checks } = await diagnosed(...SIX);
  const named = causes.map(({ bugs }) => bugs.map(({ name }) => name));
  for (const bug of SIX) expect(named.flat()).toContain(bug);
  const likely = causes.filter(({ isLikely }) => isLikely).map(({ bugs: [bug] }) => bug?.name);
  expect(likely.length).toBeGreaterThanOrEqual(4);
  expect(likely.filter((name) => !SIX.some((bug) => bug === name))).toEqual([]);
  // Every failure stands under one cause.
  const failing = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(causes.flatMap((cause) => cause.checks).toSorted()).toEqual(failing.toSorted());
  // In every form, and the same from the journal.
  for (const form of ['junit.xml', 'summary.md', 'report.html'])
    expect(readFileSync(join(report, form), 'utf8')).toContain('unknown-fields-stripped');
  expect(stdout).toContain('chat-conformance mock --defect unknown-fields-stripped');
  const again = join(temporaryFolder(), 'again');
  await callCommand(['report', report, '--report', again], {});
  expect(readReport(again).causes).toEqual(causes);
}, 60_000);

test('names no cause given a service without a failure', async () => {
  const { causes, stdout } = await diagnosed();
  expect(causes).toBeUndefined();
  expect(stdout).not.toContain('Likely causes');
}, 60_000);

test('names the bugs of a service that is not the mock', async () => {
  const { baseUrl, close } = await startSixBugService();
  onTestFinished(close);
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', baseUrl, '--seed', '1', '--allow', 'disruptive', '--quiet', '--report', report];
  const { primary, unscoped } = SIX_BUG_KEYS;
  await callCommand(args, { CHAT_API_KEY: primary, CHAT_UNSCOPED_API_KEY: unscoped });
  const named = (readReport(report).causes ?? []).map(({ bugs: [bug] }) => bug?.name);
  const bugs = [
    'unknown-fields-stripped',
    'unknown-model-falls-back',
    'scope-not-checked',
    'temperature-unchecked',
  ];
  expect(named).toEqual(expect.arrayContaining(bugs));
}, 60_000);
