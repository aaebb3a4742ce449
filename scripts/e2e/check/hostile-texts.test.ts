import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setAsideReports } from '../../cli/reports/save-reports.ts';
import { makeAuthority } from '../network/servers/authority.ts';
import { skipWithout } from '../network/servers/programs.ts';
import { callCommand, type CommandResult } from '../support/command.ts';
import { startCountingServer } from '../support/counting-server.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const JOB = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123', GITHUB_ACTIONS: 'true' };

/** What writes to the clipboard, colours, turns the direction of writing, or commands a runner. */
const HOSTILE = 'a\n::set-output name=outcome::conformant\n\u001b]52;c;eA==\u0007 ##[add-mask]e \u202e';

/** What was printed holds no control characters but ends of lines, and no workflow command but our annotations. */
function expectHarmless({ stdout, stderr }: CommandResult): void {
  const text = stdout + stderr;
  // oxlint-disable-next-line eslint/no-control-regex -- that is the question
  expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]|##\[/g)).toBeNull();
  expect(text.match(/^\s*::(?!(?:error|warning|notice) title=).*$/gm)).toBeNull();
}

test.each([
  { location: "http://h/$(id)';id;'/v1/models" },
  { 'retry-after': '\u009b31m ##[error]' },
  { server: '##[error]' },
])('prints the first answer harmlessly, and no command of it, given the header %j', async (headers) => {
  const server = await startCountingServer((response) => {
    response.writeHead('location' in headers ? 302 : 429, headers).end(HOSTILE);
  });
  onTestFinished(() => server.close());
  const result = await callCommand(['--base-url', `${server.origin}/v1`, '--no-config'], JOB);
  expect(result.code).toBe(4);
  expectHarmless(result);
  expect(result.stderr).not.toMatch(/--base-url http:\S*\$\(/);
});

test.runIf(skipWithout('openssl'))('prints the names in a certificate harmlessly', async () => {
  const { cert, key, remove } = makeAuthority(HOSTILE.slice(0, 60).replaceAll('/', ''));
  onTestFinished(remove);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const result = await callCommand(['--base-url', `https://127.0.0.1:${port}/v1`], JOB);
  expect(result.stderr).toContain(String.raw`it is for a\n::set-output`);
  expectHarmless(result);
});

test.each(['config', 'profile', 'baseline'])(
  'prints what is wrong in a file harmlessly given a %s',
  async (what) => {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'hostile.json');
    const content = { format: `chat-conformance/${what}`, version: 1, [HOSTILE]: 1 };
    writeFileSync(file, JSON.stringify(content));
    const args = what === 'config' ? [] : ['--base-url', 'http://127.0.0.1:1/v1'];
    const result = await callCommand([...args, `--${what}`, file], JOB);
    expect([result.code, result.stderr]).toEqual([2, expect.stringMatching(/^error: \S*hostile\.json.*\n$/)]);
    expectHarmless(result);
  },
);

test('prints the last words of a service that it started harmlessly', async () => {
  const script = `process.stdout.write(${JSON.stringify(HOSTILE)}); process.exit(3)`;
  const start = `'${process.execPath}' -e '${script}' {port}`;
  const result = await callCommand(
    ['--start', start, '--base-url', 'http://127.0.0.1:{port}/v1', '--wait', '2'],
    JOB,
  );
  expect(result.stderr).toContain('The started service ended by itself');
  expectHarmless(result);
});

test('prints a profile that it learned from a hostile report harmlessly', async () => {
  const report = temporaryFolder();
  await callCommand(['--only', 'RES-6', '--tier', 'smoke', '--report', report, '--quiet']);
  const file = join(report, 'report.json');
  const { target, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { target: object };
  const hostile = { ...target, kind: 'live', baseUrl: `http://h/${HOSTILE}/v1` };
  writeFileSync(file, JSON.stringify({ ...rest, target: hostile }));
  const result = await callCommand(['profile', 'learn', report], JOB);
  expect([result.code, JSON.parse(result.stdout)]).toMatchObject([0, { format: 'chat-conformance/profile' }]);
  expectHarmless(result);
});

test('makes names of files of dates alone', () => {
  const folder = temporaryFolder();
  const report = join(folder, 'out');
  mkdirSync(report, { recursive: true });
  writeFileSync(join(folder, 'package.json'), 'mine');
  const head = { format: 'chat-conformance/report', startedAt: '/../../package', target: {} };
  writeFileSync(join(report, 'report.json'), JSON.stringify(head));
  setAsideReports(report);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('mine');
  expect(readdirSync(folder).toSorted()).toEqual(['out', 'package.json']);
});

test('follows no link that lies where a report is first written', async () => {
  const report = temporaryFolder();
  mkdirSync(report, { recursive: true });
  const victim = join(report, 'victim');
  const names = ['report.json', 'junit.xml', 'summary.md', 'report.html'].map(
    (name) => `${name}.${process.pid}.tmp`,
  );
  for (const name of [...names, `.writable-${process.pid}`]) symlinkSync(victim, join(report, name));
  const result = await callCommand(['--only', 'RES-1', '--tier', 'smoke', '--report', report, '--quiet']);
  expect([result.code, existsSync(victim), readdirSync(report)]).toEqual([
    0,
    false,
    expect.arrayContaining(['report.json', 'report.html']),
  ]);
});
