import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { builtInWorld } from '../../../mock-server/world/built-in-world.ts';
import { packageVersion } from '../../cli/terminal/own-package.ts';
import { packedPackage } from '../container/built-image.ts';
import { runAction } from '../docs/action.ts';
import { install, newProject } from './install.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { folder, remove } = newProject();
const BIN = join(folder, 'node_modules', '.bin', 'chat-conformance');

let tarball = '';

/** Installs the packed package into the empty folder. */
beforeAll(async () => {
  tarball = await packedPackage();
  await install(folder, tarball);
});

afterAll(remove);

test('is a package that publint accepts', async () => {
  const manifest: object = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packed = Uint8Array.from(readFileSync(tarball)).buffer;
  const { messages } = await publint({ strict: true, pack: { tarball: packed } });
  expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([]);
});

test('holds a bill of what it depends on, in CycloneDX', () => {
  const file = join(folder, 'node_modules', 'chat-conformance', 'dist', 'sbom.cdx.json');
  const bill: { bomFormat: string; components: { name: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
  const { dependencies }: { dependencies: object } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  expect(bill.bomFormat).toBe('CycloneDX');
  const names = bill.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).not.toContain('vitest');
});

test('holds no tests', () => {
  const files = readdirSync(join(folder, 'node_modules', 'chat-conformance'), {
    recursive: true,
    encoding: 'utf8',
  });
  expect(files.filter((name) => /\.test\.|[\\/]test-support[\\/]|\.vitest\.|bench/.test(name))).toEqual([]);
  expect(files).toContain(join('mock-server', 'world', 'world.schema.json'));
  expect(files).toContain(join('suites', 'kit', 'profile-file', 'profile.schema.json'));
  expect(files).toContain(join('scripts', 'cli', 'config', 'configuration.schema.json'));
});

test('prints its version and lists its checks where it is installed', async () => {
  expect((await run(BIN, ['--version'], { cwd: folder })).stdout.trim()).toBe(packageVersion());
  expect((await run(BIN, ['list'], { cwd: folder })).stdout).toContain('REQ-6');
});

/** What the installed command prints of REQ-6 on its own mock. */
async function checkedMock(): Promise<string> {
  const mock = spawn(BIN, ['mock', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void mock.kill());
  const [line = '']: string[] = await once(createInterface({ input: mock.stdout }), 'line');
  const { url, keys }: { url: string; keys: { primary: string } } = JSON.parse(line);
  const env = { ...process.env, CHAT_API_KEY: keys.primary };
  const ended = run(BIN, ['--base-url', url, '--only', 'REQ-6'], { cwd: folder, env });
  return (await ended.catch((error: { readonly stdout: string }) => error)).stdout;
}

test('serves the inspector where it is installed, bundled and without what bundles it', async () => {
  const mock = spawn(BIN, ['mock', '--control'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void mock.kill());
  const [line = '']: string[] = await once(createInterface({ input: mock.stdout }), 'line');
  const { ui }: { ui: string } = JSON.parse(line);
  const read = async (path: string): Promise<string> => (await fetch(`${ui}${path}`)).text();
  expect(await read('')).toContain('/control/ui/inspector.js');
  expect(await read('/inspector.js')).toContain('Mock inspector');
  expect(await read('/inspector.css')).toContain('light-dark(');
  const names = readdirSync(join(folder, 'node_modules'));
  expect(names.filter((name) => ['preact', 'esbuild'].includes(name))).toEqual([]);
});

test('checks its own mock where it is installed', async () => {
  expect(await checkedMock()).toContain('Outcome: conformant');
});

test('is an action where it is installed', async () => {
  const action = join(folder, 'node_modules', 'chat-conformance');
  expect(readFileSync(join(action, 'action.yml'))).toEqual(readFileSync(join(ROOT, 'action.yml')));
  const { code, outputs } = await runAction(
    { mock: 'true', only: 'REQ-6', seed: '1', tier: 'smoke' },
    {},
    { actionPath: action },
  );
  expect({ code, outputs }).toEqual({
    code: 0,
    outputs: expect.stringContaining('outcome=conformant (the bundled mock)\ntarget-kind=mock'),
  });
});

test('runs in the CI job that init writes, by the words of its shell line', async () => {
  const cwd = join(folder, 'gated');
  mkdirSync(cwd);
  await run(BIN, ['init'], { cwd });
  const job = readFileSync(join(cwd, '.github', 'workflows', 'chat-conformance.yml'), 'utf8');
  const line = /- run: (npx .*)/.exec(job)?.[1] ?? '';
  const env = { ...process.env, STAGING_API_KEY: 'a-key-for-staging' };
  const { stdout } = await run('sh', ['-c', `${line} --plan`], { cwd, env });
  expect(stdout).toContain('Exercised: ');
});

test('judges a caller where it is installed', async () => {
  const program = `
    const { CHAT_BASE_URL: url, CHAT_API_KEY: key, CHAT_MODEL: model } = process.env;
    const headers = {
      authorization: 'Bearer ' + key,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] });
    await fetch(url + '/chat/completions', { method: 'POST', headers, body });`;
  const command = [process.execPath, '--input-type=module', '-e', program];
  const args = ['caller', '--scenario', 'plain-use', '--', ...command];
  expect((await run(BIN, args, { cwd: folder })).stdout).toContain('Outcome: conformant');
});

test('reads a typed configuration, and starts and ends the service of it, where it is installed', async () => {
  const cwd = join(folder, 'configured');
  mkdirSync(cwd);
  await run(BIN, ['init'], { cwd });
  expect((await run(BIN, ['--target', 'local', '--show-config'], { cwd })).stdout).toContain('exhaustive');
  const configuration = `
    import { defineConfig } from 'chat-conformance';
    const start = '"${BIN}" mock --port {port}';
    const keys = { primary: { env: 'MOCK_KEY' } };
    export default defineConfig({ start, baseUrl: 'http://127.0.0.1:{port}/v1', keys });
  `;
  writeFileSync(join(cwd, 'chat-conformance.config.ts'), configuration);
  const env = { ...process.env, MOCK_KEY: builtInWorld.keys[0]?.key ?? '' };
  const { stdout, stderr } = await run(BIN, ['--only', 'REQ-6'], { cwd, env });
  expect(stdout).toContain('Outcome: conformant');
  expect(stderr).not.toContain('Warning');
  const [service = ''] = /http:\S+\/v1/.exec(stdout) ?? [];
  await expect(fetch(service)).rejects.toThrow('fetch failed');
});

test('runs the checks as tests of a project that has vitest', async () => {
  const cwd = join(folder, 'tested');
  mkdirSync(cwd);
  symlinkSync(join(ROOT, 'node_modules', 'vitest'), join(folder, 'node_modules', 'vitest'));
  const page = readFileSync(join(ROOT, 'docs', 'configuration.md'), 'utf8');
  const [, text = ''] = /```ts\n(import \{ conformanceTests[^]*?)```/.exec(page) ?? [];
  writeFileSync(join(cwd, 'conformance.test.ts'), text);
  const settings = { only: ['REQ-6', 'own'], seed: 1, tier: 'smoke', checks: 'checks.ts', report: 'out' };
  writeFileSync(join(cwd, 'chat-conformance.config.json'), JSON.stringify(settings));
  const own = /```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'checks.md'), 'utf8'))?.[1] ?? '';
  writeFileSync(join(cwd, 'checks.ts'), own);
  const mock = spawn(BIN, ['mock', '--port', '0', '--defect', 'unknown-fields-stripped'], {
    cwd,
    stdio: 'pipe',
  });
  onTestFinished(() => void mock.kill());
  const [line = '']: string[] = await once(createInterface({ input: mock.stdout }), 'line');
  const { url, keys }: { url: string; keys: { primary: string } } = JSON.parse(line);
  const env = { ...process.env, CI: '1', NO_COLOR: '1', CHAT_BASE_URL: url, CHAT_API_KEY: keys.primary };
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const ran = run(process.execPath, [vitest, 'run', '--reporter=verbose'], { cwd, env });
  const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => error);
  expect(stdout).toMatch(/✓.*x-model-named: names the model/);
  expect(stdout).toMatch(/×.*x-models-not-cached/);
  expect(stdout).toMatch(/×.*unheard-of-field-refused/);
  expect(stderr).toContain('REQ-6 (stated)');
});

test('is a library with types', async () => {
  const program = `
    import { CHECKS, defineConfig, startMock, type Summary } from 'chat-conformance';
    import { assertFaithful, mockPerTest } from 'chat-conformance/judge';
    const mock = await startMock({ port: 0 });
    const answer = await fetch(mock.url + '/models', { headers: { authorization: 'Bearer ' + mock.keys['primary'] } });
    await mock.close();
    const mocks = mockPerTest({ withoutRequest: 'allow' });
    await mocks.begin('a test');
    const verdicts = await mocks.current.judge();
    try { assertFaithful(verdicts); process.exit(1); } catch {}
    mocks.end('a test');
    await mocks.close();
    const outcome: Summary['outcome'] = 'conformant';
    defineConfig({ tier: 'smoke', keys: { primary: { env: 'KEY' } } });
    // @ts-expect-error: a secret never stands as text
    defineConfig({ keys: { primary: 'hunter2hunter2' } });
    if (answer.status !== 200 || CHECKS.length === 0 || outcome === undefined) throw new Error('not as described');
  `;
  writeFileSync(join(folder, 'program.ts'), program);
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const [, example = ''] =
    /```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'checks.md'), 'utf8')) ?? [];
  writeFileSync(join(folder, 'checks.ts'), example);
  const compiled = run(compiler, [...strict, ...types, 'program.ts', 'checks.ts'], { cwd: folder });
  await expect(compiled).resolves.toMatchObject({ stdout: '' });
  const ran = run(process.execPath, ['program.ts'], { cwd: folder });
  await expect(ran).resolves.toMatchObject({ stdout: '' });
  const own = run(BIN, ['--checks', 'checks.ts', '--only', 'own'], { cwd: folder });
  await expect(own).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/own +1 failed · 1 passed/),
  });
});
