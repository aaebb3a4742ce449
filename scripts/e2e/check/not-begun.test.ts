import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { resultOf, spawnCommand, callCommand } from '../support/command.ts';
import { startCountingServer } from '../support/counting-server.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const SECRET = 'sk-a-key-of-a-test-0123';
const KEY = { CHAT_API_KEY: SECRET };

/** Answers as the page of some other service, and quotes the key. */
async function startElsewhere(): Promise<string> {
  const headers = { server: 'nginx/1.27', location: 'https://www.example/', 'content-type': 'text/html' };
  const server = await startCountingServer((response) => {
    response.writeHead(302, headers).end(`<h1>Moved</h1><!-- ${SECRET} -->${'x'.repeat(4000)}`);
  });
  onTestFinished(() => server.close());
  return `${server.origin}/v1`;
}

test('writes every report of a run that could not begin, with what came in place of the models', async () => {
  const report = join(temporaryFolder(), 'out');
  const { code, stdout, stderr } = await callCommand(
    ['--base-url', await startElsewhere(), '--seed', '3', '--report', report],
    KEY,
  );
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('\n  server: nginx/1.27\n  location: https://www.example/\n');
  const junit = readFileSync(join(report, 'junit.xml'), 'utf8');
  expect(junit).toMatch(/<testsuite [^>]*failures="0" errors="1"/);
  for (const name of ['junit.xml', 'report.json', 'report.html', 'summary.md']) {
    const text = readFileSync(join(report, name), 'utf8');
    expect(text).toContain('www.example');
    expect(text).toContain('Moved');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('x'.repeat(200));
  }
  const { outcome, notBegun, checks, cutShort } = readReport(report);
  expect(outcome).toBe('incomplete');
  expect(cutShort).toEqual([notBegun?.reason]);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));
  // The journal says the same.
  const again = join(temporaryFolder(), 'again');
  expect((await callCommand(['report', report, '--report', again], KEY)).code).toBe(4);
  expect(readFileSync(join(again, 'report.json'), 'utf8')).toBe(
    readFileSync(join(report, 'report.json'), 'utf8'),
  );
});

test('writes a report given a target at which nothing listens', async () => {
  const server = await startCountingServer(() => {});
  await server.close();
  const report = join(temporaryFolder(), 'out');
  await callCommand(['--base-url', `${server.origin}/v1`, '--report', report], KEY);
  expect(readReport(report).notBegun).toMatchObject({
    exchange: { outcome: 'not-sent: connection refused' },
  });
});

test('begins where only the models endpoint answers with a page, and not where every path does', async () => {
  const mock = await startMock({ defect: 'model-list-as-page' });
  onTestFinished(() => mock.close());
  const report = join(temporaryFolder(), 'out');
  const only = ['--only', 'SVC-2', '--report', report];
  const key = { CHAT_API_KEY: mock.keys['primary'] ?? '' };
  const { code, stdout } = await callCommand(['--base-url', mock.url, ...only], key);
  expect([code, stdout]).toEqual([1, expect.stringContaining('SVC-2')]);

  const site = await startCountingServer((response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Log in</title>');
  });
  onTestFinished(() => site.close());
  const { code: notBegun, stderr } = await callCommand(['--base-url', `${site.origin}/v1`, ...only], KEY);
  expect([notBegun, stderr]).toEqual([4, expect.stringContaining('/v1/models answered 200 with a page')]);
  expect(readReport(report).notBegun?.exchange?.request.path).toBe('/models');
});

test('keeps every file of an earlier run in the same folder', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl } = await startErringService();
  await callCommand(['--base-url', baseUrl, '--only', 'RES-1', '--report', report, '--quiet'], KEY);
  const contents = (): readonly string[] =>
    readdirSync(report).map((name) => readFileSync(join(report, name), 'utf8'));
  const before = contents();
  expect(before).toHaveLength(5);
  await callCommand(['--base-url', await startElsewhere(), '--report', report], KEY);
  expect(contents()).toEqual(expect.arrayContaining([...before]));
  const earlier = readdirSync(report).find((name) => /^report-.*\.json$/.test(name)) ?? '';
  // Its journal is found by its time.
  const { stdout } = await callCommand(['report', join(report, earlier), '--quiet'], KEY);
  expect(stdout).toContain('Outcome: conformant');
});

test('says with --quiet why a run is incomplete', async () => {
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (body.length === 0) return false;
    response.destroy();
    return true;
  });
  const args = [
    '--base-url',
    baseUrl,
    '--only',
    'RES-1',
    '--quiet',
    '--report',
    join(temporaryFolder(), 'out'),
  ];
  const { code, stdout } = await callCommand(args, KEY);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Incomplete: \d+ requests? of unknown outcome, to be checked in the workspace$/m);
});

test('takes the latest run, or the last two of one target, given no report', async () => {
  const working = temporaryFolder();
  mkdirSync(working, { recursive: true });
  const { baseUrl } = await startErringService();
  const other = await startErringService();
  const runs = [baseUrl, baseUrl, other.baseUrl].map((url) => [
    '--base-url',
    url,
    '--only',
    'RES-1,REQ-6',
    '--seed',
    '3',
  ]);
  for (const args of runs) await inFolder(working, args);
  expect(readdirSync(join(working, 'chat-conformance-report'))).toHaveLength(4);
  const latest = await inFolder(working, ['report', '--quiet']);
  expect(latest.stdout).toContain(other.baseUrl);
  expect((await inFolder(working, ['report', '--rejudge', '--quiet'])).stderr).toContain(
    'No verdict changed',
  );
  expect((await inFolder(working, ['diff'])).stderr).toContain('no two runs of one target');
  await inFolder(working, runs[0] ?? []);
  expect(await inFolder(working, ['diff'])).toMatchObject({ code: 0, stderr: '' });
});

/** As a process of its own, in a folder of the test. */
function inFolder(cwd: string, args: readonly string[]) {
  return resultOf(spawnCommand(args, KEY, cwd));
}
