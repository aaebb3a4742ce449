import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { packageVersion } from '../../cli/terminal/own-package.ts';
import { installedProject, linkedProject, packedPackage } from './packed.ts';

// The package in a project that has a client and a test runner of its own, from the registry.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const packing = mkdtempSync(join(tmpdir(), 'packed-'));
/** The oldest releases that the package works beside, and the runners that docs/tests.md names. */
const INSTALLED = { openai: '5.23.2', vitest: '2.1.9', jest: '30.5.2', mocha: '12.0.3' };
/** Some hundred packages, which the registry may take minutes to send. */
const INSTALLING_MS = 600_000;

/** The project of a user, and one beside the newest releases. */
let [tarball, installed, newest, OWN, BIN] = ['', '', '', '', ''];

beforeAll(async () => {
  tarball = await packedPackage(packing);
  installed = await installedProject(tarball, INSTALLED);
  newest = linkedProject(installed);
  OWN = join(installed, 'node_modules', 'chat-conformance');
  BIN = join(installed, 'node_modules', '.bin', 'chat-conformance');
}, INSTALLING_MS);

afterAll(() => {
  for (const folder of [packing, installed, newest]) rmSync(folder, { recursive: true, force: true });
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
  const mock = spawn(BIN, args, { cwd: installed, stdio: ['ignore', 'pipe', 'ignore'] });
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

/** What is in the package; npm adds a folder of dependencies where a user has another release of one. */
function packedFiles(): readonly string[] {
  const files = readdirSync(OWN, { recursive: true, encoding: 'utf8' });
  return files.filter((name) => !name.startsWith('node_modules'));
}

test('holds its schemas and its action, and no tests', () => {
  expect(
    packedFiles().filter((name) => /\.test\.|[\\/]test-support[\\/]|\.vitest\.|bench/.test(name)),
  ).toEqual([]);
  const { files: promised }: { files: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  expect(packedFiles()).toEqual(expect.arrayContaining(promised.map((name) => join(...name.split('/')))));
  expect(readFileSync(join(OWN, 'action.yml'))).toEqual(readFileSync(join(ROOT, 'action.yml')));
});

test('holds whatever its pages link to', () => {
  const pages = packedFiles().filter((name) => name.endsWith('.md'));
  const links = pages.flatMap((page) =>
    [...readFileSync(join(OWN, page), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, to = '']) => ({
      page,
      to,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ page, to }) => !existsSync(join(OWN, page, '..', to)))).toEqual([]);
});

test('prints its version, serves the inspector without what bundles it, and checks its own mock', async () => {
  expect((await run(BIN, ['--version'], { cwd: installed })).stdout.trim()).toBe(packageVersion());
  const { url, ui, keys } = await startInstalledMock();
  const read = async (path: string): Promise<string> => (await fetch(`${ui}${path}`)).text();
  expect(await read('')).toContain('/control/ui/inspector.js');
  expect(await read('/inspector.js')).toContain('Mock inspector');
  expect(await read('/inspector.css')).toContain('light-dark(');
  expect(readdirSync(join(installed, 'node_modules'))).not.toContain('preact');
  const env = { ...process.env, CHAT_API_KEY: keys.primary };
  const checked = run(BIN, ['--base-url', url, '--only', 'REQ-6', '--tier', 'smoke'], {
    cwd: installed,
    env,
  });
  expect((await checked).stdout).toContain('Outcome: conformant');
});

test('writes a typed configuration that holds as it stands, and keeps it', async () => {
  const cwd = join(installed, 'configured');
  mkdirSync(cwd);
  const said = async (...args: readonly string[]): Promise<string> => (await run(BIN, args, { cwd })).stdout;
  expect(await said('init')).toContain('wrote chat-conformance.config.ts');
  expect(await said('--show-config')).toMatch(
    /^baseUrl +http:\/\/127\.0\.0\.1:8080\/v1 +chat-conformance\.config\.ts#\/targets\/local\/baseUrl\n(?:.*\n)*tier +full /m,
  );
  expect(await said('--target', 'staging', '--plan')).toContain('Nothing was sent');
  writeFileSync(join(cwd, 'chat-conformance.config.ts'), '// mine');
  expect(await said('init')).toBe('chat-conformance.config.ts is there already\n');
  expect(readFileSync(join(cwd, 'chat-conformance.config.ts'), 'utf8')).toBe('// mine');
});

/** What vitest says of each test of a project, by its title. */
async function testsIn(cwd: string, env: NodeJS.ProcessEnv) {
  const file = join(cwd, 'results.json');
  // Files share what is loaded: each would load the package and the client anew.
  const args = ['run', '--no-isolate', '--reporter=json', `--outputFile=${file}`];
  const vitest = join(cwd, 'node_modules', 'vitest', 'vitest.mjs');
  await run(process.execPath, [vitest, ...args], { cwd, env: { ...process.env, ...env } }).catch(() => {});
  const said: { testResults: { assertionResults: { title: string; status: string }[] }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const tests = said.testResults.flatMap(({ assertionResults }) => assertionResults);
  return Object.fromEntries(tests.map(({ title, status }) => [title.split(':')[0] ?? '', status]));
}

/** The documented programs that are written in TypeScript. */
const TYPED = {
  'client.test.ts': example('callers.md', 'useMock'),
  'readme.test.ts': example('../README.md', 'useMock'),
  'sent.test.ts': example('tests.md', 'toHaveSentOnce'),
  'concurrent.test.ts': example('tests.md', 'test.concurrent'),
  'checks.ts': example('checks.md', 'x-models-not-cached'),
};

test.each([
  ['newest', () => newest],
  ['oldest', () => installed],
] as const)(
  'tests client and service beside the %s openai and vitest, as documented',
  async (_releases, folder) => {
    const project = folder();
    const settings = { only: ['REQ-6', 'own'], seed: 1, tier: 'smoke', checks: 'checks.ts', report: 'out' };
    const files = {
      ...TYPED,
      'conformance.test.ts': example('configuration.md', 'conformanceTests'),
      'chat-conformance.config.json': JSON.stringify(settings),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    const { url, keys } = await startInstalledMock('--defect', 'unknown-fields-stripped');
    const env = { CHAT_BASE_URL: url, CHAT_API_KEY: keys.primary };
    expect(await testsIn(project, env)).toMatchObject({
      'leaves alone what a gateway lost': 'passed',
      'sends a request once, though its answer was lost': 'passed',
      'is charged once, though the answer was lost': 'passed',
      'lists the models, 3': 'passed',
      'x-model-named': 'passed',
      'x-models-not-cached': 'failed',
      'unheard-of-field-refused': 'failed',
    });
  },
);

/** The files of a section of docs/tests.md: each block of JavaScript begins with its name. */
function filesOf(section: string): readonly (readonly [name: string, text: string])[] {
  const page = readFileSync(join(ROOT, 'docs', 'tests.md'), 'utf8');
  const [, part = ''] = new RegExp(`## ${section}\n([^]*?)(?:\n## |$)`).exec(page) ?? [];
  return Array.from(part.matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g), ([, name = '', text = '']) => [
    name,
    text,
  ]);
}

test.each([
  ['Jest', ['--experimental-vm-modules', 'jest/bin/jest.js', '--runInBand'], '2 failed, 1 passed'],
  ['Mocha', ['mocha/bin/mocha.js', '*.test.js'], /2 passing[^]*2 failing/],
])('tests a client with %s, as documented', async (runner, args, said) => {
  const cwd = join(installed, runner);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of filesOf(runner)) {
    writeFileSync(join(cwd, name), text);
    if (name !== 'client.test.js') continue;
    // In the order of their names: the first leaves a rule unused, and the second fails none the less.
    const unused = text.replace('times=1', 'nth=2').replace('429', '200');
    writeFileSync(join(cwd, 'unused.test.js'), unused);
    writeFileSync(join(cwd, 'wrong.test.js'), text.replace('429', '200'));
  }
  const program = args.map((each) => (each.includes('/') ? join(installed, 'node_modules', each) : each));
  const ended = run(process.execPath, program, { cwd }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const { stdout, stderr } = await ended;
  expect(stdout + stderr).toMatch(said);
  expect(stdout + stderr).toContain('came to the mock; nearest of 1:');
  expect(stdout + stderr).toContain('was never used: 1 request came; 1 matched, and none was its turn');
});

test('is a library with types, also of matchers, beside the oldest openai and vitest, and in jest', async () => {
  const program = `
    import { CHECKS, defineConfig, type MockOptions, startMock, type Summary } from 'chat-conformance';
    import { assertFaithful, mockPerTest } from 'chat-conformance/judge';
    const mock = await startMock({ port: 0, faults: ['latency', { fault: 'timeout', ms: 5, times: 1 }] });
    // @ts-expect-error: no such fault
    await mock.arm({ fault: 'timeouts' }).catch(() => {});
    const answer = await fetch(mock.url + '/models', { headers: { authorization: 'Bearer ' + mock.keys['primary'] } });
    const text: string | undefined = mock.requests({ endpoint: 'models', status: 200 })[0]?.headers['host'];
    // @ts-expect-error: only this project starts a mock so
    const internal: MockOptions = { witnessed: true };
    // @ts-expect-error: no part of the library
    if (text === undefined || 'sandbox' in internal) mock.sandboxes;
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
  const jest = `${example('tests.md', "declare module 'expect'")}
    import { expect } from '@jest/globals';
    import { mockPerTest } from 'chat-conformance/judge';
    expect(mockPerTest().current).toHaveSentOnce({ endpoint: 'models' });
    // @ts-expect-error: no such endpoint
    expect(mockPerTest().current).toHaveSentOnce({ endpoint: 'model' });
  `;
  const programs = { ...TYPED, 'program.ts': program, 'jest.ts': jest };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(installed, name), text);
  // The types of the newest are those that this repository is compiled with.
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const args = ['--singleThreaded', ...strict, ...types, ...Object.keys(programs)];
  const compiled = run(compiler, args, { cwd: installed }).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect((await compiled).stdout).toBe('');
  expect((await run(process.execPath, ['program.ts'], { cwd: installed })).stdout).toBe('');
});
