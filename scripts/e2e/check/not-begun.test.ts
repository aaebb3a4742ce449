import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { serve } from '../../../suites/engine/test-support/service.ts';
import { REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const SECRET = 'sk-a-key-of-a-test-0123';
const KEY = { CHAT_API_KEY: SECRET };

/** Answers as the page of some other service, and quotes the key. */
async function startElsewhere(): Promise<string> {
  const headers = { server: 'nginx/1.27', location: 'https://www.example/', 'content-type': 'text/html' };
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(302, headers).end(`<h1>Moved</h1><!-- ${SECRET} -->${'x'.repeat(4000)}`),
  );
  return baseUrl;
}

test('writes every report of a run that could not begin, beside the journal of an earlier run', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl } = await startErringService();
  await callCommand(['--base-url', baseUrl, '--only', 'RES-1', '--report', report, '--quiet'], KEY);

  const args = ['--base-url', await startElsewhere(), '--seed', '3', '--report', report];
  const { code, stdout, stderr } = await callCommand(args, KEY);
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('\n  server: nginx/1.27\n  location: https://www.example/\n');
  expect(readFileSync(join(report, 'junit.xml'), 'utf8')).toMatch(/<testsuite [^>]*failures="0" errors="1"/);
  for (const name of REPORT_FILES) {
    const text = readFileSync(join(report, name), 'utf8');
    expect(text).toContain('www.example');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('x'.repeat(200));
  }
  const { outcome, notBegun, checks, cutShort } = readReport(report);
  expect([outcome, cutShort]).toEqual(['incomplete', [notBegun?.reason]]);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));

  const learned = await callCommand(['profile', 'learn', report]);
  expect([learned.code, learned.stdout]).toEqual([2, '']);
  expect(learned.stderr).toMatch(
    /^error: .*out: the run could not begin, so it observed nothing to learn\n$/,
  );

  // The journal says the same, and that of the earlier run is named by its time.
  const again = join(temporaryFolder(), 'again');
  expect((await callCommand(['report', report, '--report', again], KEY)).code).toBe(4);
  expect(readFileSync(join(again, 'report.json'), 'utf8')).toBe(
    readFileSync(join(report, 'report.json'), 'utf8'),
  );
  const earlier = readdirSync(report).find((name) => /^journal-.*\.ndjson$/.test(name)) ?? '';
  const reported = await callCommand(['report', join(report, earlier), '--quiet'], KEY);
  expect(reported).toMatchObject({ code: 0, stdout: expect.stringContaining('Outcome: conformant') });
});

test('begins where only the models endpoint answers with a page, and not where every path does', async () => {
  const mock = await openMock({ defect: 'model-list-as-page' });
  const key = { CHAT_API_KEY: mock.keys['primary'] ?? '' };
  const { code, stdout } = await callCommand(['--base-url', mock.url, '--only', 'SVC-2'], key);
  expect([code, stdout]).toEqual([1, expect.stringContaining('SVC-2')]);

  const site = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Log in</title>'),
  );
  const notBegun = await callCommand(['--base-url', site.baseUrl, '--only', 'SVC-2'], KEY);
  const why = expect.stringContaining('/v1/models answered 200 with an HTML page');
  expect([notBegun.code, notBegun.stderr]).toEqual([4, why]);
});

test('takes the latest run, or the last two of one target, given no report', async () => {
  const folder = temporaryFolder();
  const [one, other] = [await startErringService(), await startErringService()];
  const run = (baseUrl: string) =>
    callCommand(['--base-url', baseUrl, '--only', 'RES-1,REQ-6', '--seed', '3'], KEY, folder);
  // The second run sends first what failed in the first, and so judges it by more.
  for (const { baseUrl } of [other, one, one, other]) await run(baseUrl);
  expect((await callCommand(['report', '--quiet'], KEY, folder)).stdout).toContain(other.baseUrl);
  const rejudged = await callCommand(['report', '--rejudge', '--quiet'], KEY, folder);
  expect(rejudged.stderr).toContain('0 worse, 0 better, 0 changed, ');
  await run(one.baseUrl);
  expect(await callCommand(['diff'], KEY, folder)).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      new RegExp(`^before: .*, ${one.baseUrl}, 7 checks\\)\nafter: .*, ${one.baseUrl}, `),
    ),
  });
});
