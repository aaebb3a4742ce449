import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packageVersion } from '../../cli/terminal/own-package.ts';
import { lockedBeside, packedPackage, projectOfThisRepository, projectWith } from './packed.ts';

// The package in a project that has a client and a test runner of its own.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const packing = mkdtempSync(join(tmpdir(), 'packed-'));
let tarball = '';
/** The project beside the oldest neighbours. */
let folder = '';
/** Beside those of this repository. */
let newest = '';
let BIN = '';

const OLDEST_NEIGHBOURS = { openai: '5.23.2', vitest: '2.1.9' };

beforeAll(async () => {
  tarball = await packedPackage(packing);
  folder = await projectWith(tarball, OLDEST_NEIGHBOURS);
  newest = projectOfThisRepository(folder);
  BIN = join(folder, 'node_modules', '.bin', 'chat-conformance');
});

afterAll(() => {
  for (const each of [packing, folder, newest].filter((path) => path !== ''))
    rmSync(each, { recursive: true });
});

/** The first block of TypeScript in a page that holds this. */
function example(page: string, holding: string): string {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, block = '']) => block);
  return blocks.find((block) => block.includes(holding)) ?? '';
}

interface Ready {
  readonly url: string;
  readonly ui: string;
  readonly keys: { readonly primary: string };
}

/** Starts the mock of the installed package, with a control API. */
async function startInstalledMock(...more: readonly string[]): Promise<Ready> {
  const args = ['mock', '--port', '0', '--control', ...more];
  const mock = spawn(BIN, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void mock.kill());
  const [line = '']: string[] = await once(createInterface({ input: mock.stdout }), 'line');
  return JSON.parse(line);
}

test('is a package that publint accepts', async () => {
  const manifest: object = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packed = Uint8Array.from(readFileSync(tarball)).buffer;
  const { messages } = await publint({ strict: true, pack: { tarball: packed } });
  expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([]);
});

test('holds its schemas and its action, and no tests', () => {
  const installed = join(folder, 'node_modules', 'chat-conformance');
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('node_modules'),
  );
  expect(files.filter((name) => /\.test\.|[\\/]test-support[\\/]|\.vitest\.|bench/.test(name))).toEqual([]);
  const { files: promised }: { files: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  expect(files).toEqual(expect.arrayContaining(promised.map((name) => join(...name.split('/')))));
  expect(readFileSync(join(installed, 'action.yml'))).toEqual(readFileSync(join(ROOT, 'action.yml')));
});

test('prints its version, serves the inspector without what bundles it, and checks its own mock', async () => {
  expect((await run(BIN, ['--version'], { cwd: folder })).stdout.trim()).toBe(packageVersion());
  const { url, ui, keys } = await startInstalledMock();
  const read = async (path: string): Promise<string> => (await fetch(`${ui}${path}`)).text();
  expect(await read('')).toContain('/control/ui/inspector.js');
  expect(await read('/inspector.js')).toContain('Mock inspector');
  expect(await read('/inspector.css')).toContain('light-dark(');
  expect(readdirSync(join(folder, 'node_modules'))).not.toContain('preact');
  const env = { ...process.env, CHAT_API_KEY: keys.primary };
  const checked = run(BIN, ['--base-url', url, '--only', 'REQ-6', '--tier', 'smoke'], { cwd: folder, env });
  expect((await checked).stdout).toContain('Outcome: conformant');
});

test('writes a typed configuration that it reads', async () => {
  const cwd = join(folder, 'configured');
  mkdirSync(cwd);
  await run(BIN, ['init'], { cwd });
  expect((await run(BIN, ['--target', 'local', '--show-config'], { cwd })).stdout).toMatch(/^tier +full /m);
  const { stdout } = await run(BIN, ['--target', 'staging', '--plan'], { cwd });
  expect(stdout).toContain('Nothing was sent');
});

/** What vitest says of each test of a project, by its title. */
async function testsIn(cwd: string, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const file = join(cwd, 'results.json');
  const args = ['run', '--reporter=json', `--outputFile=${file}`];
  const vitest = join(cwd, 'node_modules', 'vitest', 'vitest.mjs');
  await run(process.execPath, [vitest, ...args], { cwd, env: { ...process.env, ...env } }).catch(() => {});
  const said: { testResults: { assertionResults: { title: string; status: string }[] }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const tests = said.testResults.flatMap(({ assertionResults }) => assertionResults);
  return Object.fromEntries(tests.map(({ title, status }) => [title.split(':')[0] ?? '', status]));
}

/** The errors of the compiler in programs of the project. */
async function typeErrorsIn(...files: readonly string[]): Promise<string> {
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const compiled = run(compiler, ['--singleThreaded', ...strict, ...types, ...files], { cwd: folder });
  return (await compiled.catch((error: { readonly stdout: string }) => error)).stdout;
}

test('leaves the client and the test runner of a project as they are', async () => {
  const releases = Object.keys(OLDEST_NEIGHBOURS).map((name) => {
    const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8');
    const { version }: { version: string } = JSON.parse(manifest);
    return [name, version];
  });
  expect(Object.fromEntries(releases)).toEqual(OLDEST_NEIGHBOURS);
  // The manifest of this one allows the tested client, to which npm could move it.
  expect(await lockedBeside(tarball, '7.22.0')).toMatchObject({
    openai: '7.22.0',
    'tested-client': '7.23.0',
  });
});

const EXAMPLES = {
  'client.test.ts': example('callers.md', 'useMock'),
  'conformance.test.ts': example('configuration.md', 'conformanceTests'),
  'checks.ts': example('checks.md', 'x-models-not-cached'),
};

test.each([
  ['the oldest', () => folder],
  ['those of this repository', () => newest],
])('tests client and service beside openai and vitest as documented: %s', async (_which, project) => {
  const settings = { only: ['REQ-6', 'own'], seed: 1, tier: 'smoke', checks: 'checks.ts', report: 'out' };
  const files = { ...EXAMPLES, 'chat-conformance.config.json': JSON.stringify(settings) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project(), name), text);
  const { url, keys } = await startInstalledMock('--defect', 'unknown-fields-stripped');
  expect(await testsIn(project(), { CHAT_BASE_URL: url, CHAT_API_KEY: keys.primary })).toMatchObject({
    'leaves alone what a gateway lost': 'passed',
    'x-model-named': 'passed',
    'x-models-not-cached': 'failed',
    'unheard-of-field-refused': 'failed',
  });
});

test('is a library with types, beside the oldest neighbours too', async () => {
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
  // The types of the newest are those that this repository is compiled with.
  const typed = { 'program.ts': program, ...EXAMPLES };
  for (const [name, text] of Object.entries(typed)) writeFileSync(join(folder, name), text);
  expect(await typeErrorsIn('program.ts', 'client.test.ts', 'checks.ts')).toBe('');
  expect((await run(process.execPath, ['program.ts'], { cwd: folder })).stdout).toBe('');
});
