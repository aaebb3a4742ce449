import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { setAsideReports } from '../../cli/reports/save-reports.ts';
import { makeAuthority } from '../network/servers/authority.ts';
import { skipWithout } from '../network/servers/programs.ts';
import { makeProject } from '../service/project.ts';
import { callCommand, type CommandResult, resultOf, runCommand, spawnCommand } from '../support/command.ts';
import { startCountingServer } from '../support/counting-server.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const JOB = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123', GITHUB_ACTIONS: 'true' };

/** What writes to the clipboard, colours, turns the direction of writing, or commands a runner. */
const HOSTILE =
  'a\n::set-output name=outcome::conformant\n\u001b]52;c;eA==\u0007 ##[add-mask]e \u202e\n  ::error::e\u009b31m';

/** What was printed holds no control characters but ends of lines, and no workflow command but our annotations and those of vitest. */
function expectHarmless({ stdout, stderr }: CommandResult): void {
  const text = stdout + stderr;
  // oxlint-disable-next-line eslint/no-control-regex -- that is the question
  expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]|##\[/g)).toBeNull();
  expect(text.match(/^\s*::(?!(?:error|warning|notice) (?:title|file)=).*$/gm)).toBeNull();
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
  const { cert: ca, issue, remove } = makeAuthority();
  onTestFinished(remove);
  const { cert, key } = issue('gateway', 'DNS:a\\n::set-output \u001b]52 \\#\\#[add-mask]e');
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const result = await callCommand(['--base-url', `https://localhost:${port}/v1`, '--ca', ca], JOB);
  expect(result.stderr).toContain(String.raw`is for '"a\u000a::set-output \u001b]52`);
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

const NONE = ['--base-url', 'http://127.0.0.1:1/v1'];

test.each([
  ['a profile', [...NONE, '--profile'], 'is not a regular file: save what it gives in one'],
  ['a baseline', [...NONE, '--baseline'], 'is not a regular file: save what it gives in one'],
  ['an authority', [...NONE, '--ca'], 'is not a regular file: save what it gives in one'],
  ['a key', [...NONE, '--api-key-file'], 'cannot read --api-key-file'],
  ['a report to learn from', ['profile', 'learn'], 'is not a regular file: save what it gives in one'],
  ['a report to compare', ['diff', '/dev/zero'], 'is not a regular file: save what it gives in one'],
  ['a certificate', ['mock', '--tls'], '--tls: cannot read'],
])('reads nothing that never ends given it for %s', async (_what, args, line) => {
  const { code, stderr } = await runCommand([...args, '/dev/zero'], JOB);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^(?:error|mock): .*\n$/)]);
  expect(stderr).toContain(line);
});

test('reads no file that is larger than any of its kind', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'large.json');
  writeFileSync(file, '');
  truncateSync(file, 65 * 1024 * 1024);
  const { code, stderr } = await callCommand([...NONE, '--profile', file], JOB);
  expect([code, stderr]).toEqual([2, `error: ${file} is larger than 64 MiB\n`]);
});

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

/** A service that means its callers harm in all that it answers, errors and completions. */
async function startHostileService(): Promise<string> {
  const server = await startCountingServer((response) => {
    const error = { code: HOSTILE, message: HOSTILE, request_id: HOSTILE };
    const text = JSON.stringify({ object: HOSTILE, data: [{ id: HOSTILE, [HOSTILE]: HOSTILE }], error });
    response.writeHead(200, { 'content-type': 'text/plain; ##[error]', server: '##[error]' }).end(text);
  });
  onTestFinished(() => server.close());
  return `${server.origin}/v1`;
}

const CHAT = { model: HOSTILE, messages: [{ role: 'user', content: HOSTILE }], [HOSTILE]: HOSTILE };

/** A client that asks for this chat, and does what follows. */
function clientThat(follows: string): string {
  return `await fetch((process.env.PROXIED ?? process.env.CHAT_BASE_URL) + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.CHAT_API_KEY, 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(CHAT))},
  });
  ${follows}`;
}

test('prints what passes through the proxy harmlessly, in both streams', async () => {
  const args = ['proxy', '--target', await startHostileService(), '--report', temporaryFolder()];
  const child = spawnCommand(args, JOB);
  const result = resultOf(child);
  if (child.stdout === null || child.stderr === null) throw new Error('it has no streams');
  const [ready] = await once(createInterface({ input: child.stdout }), 'line');
  const said = once(createInterface({ input: child.stderr }), 'line');
  const { url }: { url: string } = JSON.parse(String(ready));
  const env = { ...process.env, ...JOB, PROXIED: url };
  const client = spawn(process.execPath, ['--input-type=module', '-e', clientThat('')], { env });
  await once(client, 'close');
  await said;
  child.kill('SIGINT');
  const printed = await result;
  for (const text of [printed.stdout, printed.stderr]) expect(text).toContain(String.raw`::set-output`);
  expectHarmless(printed);
});

test('prints what a client did and said harmlessly', async () => {
  const says = `process.stdout.write(${JSON.stringify(HOSTILE)});
    process.stderr.write(${JSON.stringify(HOSTILE)}); process.exit(3)`;
  const command = [process.execPath, '--input-type=module', '-e', clientThat(says)];
  const result = await callCommand(['caller', '--scenario', 'plain-use', '--', ...command], JOB);
  expect([result.code, result.stderr]).toEqual([1, expect.stringContaining('  | ')]);
  expectHarmless(result);
});

const SERVICES = [
  ['that answers everything so', startHostileService, 'the caller is not faithful'],
  ['whose first answer is no list of models', startLimitedService, 'answered 429 each time'],
] as const;

/** Asks for patience in its own way. */
async function startLimitedService(): Promise<string> {
  const server = await startCountingServer((response) => {
    response.writeHead(429, { 'retry-after': '\u009b31m ##[error]', server: '##[error]' }).end(HOSTILE);
  });
  onTestFinished(() => server.close());
  return `${server.origin}/v1`;
}

test.each(SERVICES)(
  'hands vitest nothing that does harm in its output, given a service %s',
  async (_what, startService, said) => {
    const project = makeProject({
      'checks.test.ts': `import { conformanceTests } from '${ROOT}scripts/vitest-checks.ts';
        await conformanceTests();`,
      'client.test.ts': `import { expect, test } from 'vitest';
        import { useMock } from '${ROOT}scripts/caller/judge/use-mock-vitest.ts';
        const mock = useMock();
        test('is faithful', async () => {
          ${clientThat('')}
          expect(await mock().judge()).toBeFaithful();
        });`,
      'chat-conformance.config.json': '{ "tier": "smoke" }',
    });
    symlinkSync(join(ROOT, 'node_modules'), join(project.folder, 'node_modules'));
    const args = [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run'];
    const env = { ...project.environment, ...JOB, CHAT_BASE_URL: await startService() };
    const result = await resultOf(spawn(process.execPath, args, { cwd: project.folder, env }));
    expect([result.code, result.stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(result.stderr).toContain('FAIL  checks.test.ts');
    expectHarmless(result);
  },
  120_000,
);
