import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND, resultOf, spawnCommand } from '../support/command.ts';

// What a command loads before it works decides how long it takes to start: see docs/architecture.md.

/** Notes every module that a process loads, imported or required. */
const NOTING = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const load = (url, context, next) => (appendFileSync(process.env.LOADED_MODULES, url + '\\n'), next(url, context));
  registerHooks({ load });
`;

const LIBRARY = pathToFileURL(join(dirname(COMMAND), 'index.js')).href;

/** Starts the command, or a program; `packages` says which packages it has loaded so far. */
function started(
  args: readonly string[],
  start: (environment: Record<string, string>) => ChildProcess = (environment) =>
    spawnCommand(args, environment),
): {
  readonly child: ChildProcess;
  readonly packages: () => readonly string[];
} {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'modules');
  const hooks = `--import=data:text/javascript,${encodeURIComponent(NOTING)}`;
  const child = start({ NODE_OPTIONS: hooks, LOADED_MODULES: file });
  const packages = (): readonly string[] => {
    const urls = readFileSync(file, 'utf8').split('\n');
    expect(urls).toContainEqual(expect.stringMatching(/\/dist\/(?:chat-conformance|index)\.js$/));
    const names = urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
    return [...new Set(names)].filter((name) => name !== undefined).toSorted();
  };
  return { child, packages };
}

test.each([
  ['--help', []],
  ['--version', []],
  ['--plan', ['eventsource-parser', 'fast-check', 'pure-rand', 'undici']],
])('loads no more than it needs given %s', async (flag, more) => {
  const { child, packages } = started([flag]);
  expect(await resultOf(child)).toMatchObject({ code: 0, stderr: '' });
  expect(packages()).toEqual(['commander', ...more].toSorted());
});

test('loads nothing that reads files of people in a run that has none', async () => {
  const { child, packages } = started(['--only', 'VER-2', '--report', 'out']);
  expect(await resultOf(child)).toMatchObject({ code: 0 });
  expect(packages()).toContain('undici');
  expect(packages()).not.toContain('zod');
});

test('watches without what reads reports and configurations', async () => {
  const { child, packages } = started(['--watch', '--base-url', 'http://127.0.0.1:1/v1']);
  onTestFinished(() => void child.kill());
  await once(child.stderr ?? child, 'data');
  expect(packages()).toContain('chokidar');
  expect(packages()).not.toContain('zod');
  child.kill();
  await once(child, 'close');
});

test('loads the library without what reads a profile, until it reads one', async () => {
  const program = (then: string) => (environment: Record<string, string>) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', `import { readProfile } from '${LIBRARY}'; ${then}`],
      {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
  const idle = started([], program(''));
  expect(await resultOf(idle.child)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(idle.packages()).not.toContain('zod');
  const reading = started([], program(`try { readProfile('none') } catch (e) { console.log(e.message) }`));
  expect((await resultOf(reading.child)).stdout).toContain('none');
  expect(reading.packages()).toContain('zod');
});

test('starts the mock without what only its control API and world files need', async () => {
  const { child, packages } = started(['mock', '--port', '0']);
  onTestFinished(() => void child.kill());
  await once(child.stdout ?? child, 'data');
  expect(packages()).toEqual(['commander']);
  child.kill();
  await once(child, 'close');
});

/** Before anything else is loaded: as an older release would say. */
const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } })`;

test('says in one line which release of Node it needs given an older one', async () => {
  const hook = `--import=data:text/javascript,${encodeURIComponent(OLD)}`;
  expect(await resultOf(spawnCommand(['--version'], { NODE_OPTIONS: hook }))).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: Node 22.19 or later is needed, and this is 22.18.0\n',
  });
});
