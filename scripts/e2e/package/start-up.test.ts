import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resultOf, spawnCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

// What a command loads before it works decides how long it takes to start: see docs/architecture.md.

const preloaded = (program: string): string => `--import=data:text/javascript,${encodeURIComponent(program)}`;

/** Notes every module that a process loads, imported or required, and at its end those of Node. */
const NOTING = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const load = (url, context, next) => (appendFileSync(process.env.LOADED_MODULES, url + '\\n'), next(url, context));
  registerHooks({ load });
  process.on('exit', () => appendFileSync(process.env.LOADED_MODULES, process.moduleLoadList.join('\\n')));
`;

/** Starts the command; `packages` says which packages it has loaded so far, and `modules` every module. */
function started(args: readonly string[]): {
  readonly child: ChildProcess;
  readonly modules: () => readonly string[];
  readonly packages: () => readonly string[];
} {
  const folder = temporaryFolder();
  const file = join(folder, 'modules');
  const child = spawnCommand(args, { NODE_OPTIONS: preloaded(NOTING), LOADED_MODULES: file });
  onTestFinished(() => void child.kill());
  const modules = (): readonly string[] => readFileSync(file, 'utf8').split('\n');
  const packages = (): readonly string[] => {
    const urls = modules();
    expect(urls).toContainEqual(expect.stringMatching(/\/dist\/chat-conformance\.js$/));
    const names = urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
    return [...new Set(names)].filter((name) => name !== undefined).toSorted();
  };
  return { child, modules, packages };
}

test.each([
  ['--help', []],
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

test('starts the mock without what only its control API and world files need', async () => {
  const { child, modules, packages } = started(['mock', '--port', '0']);
  await once(child.stdout ?? child, 'data');
  expect(packages()).toEqual(['commander']);
  child.kill();
  await once(child, 'close');
  expect(modules()).toContain('NativeModule http');
  // The HTTP client of Node itself: see scripts/build/node-http.ts.
  expect(modules()).not.toContain('NativeModule internal/deps/undici/undici');
});

/** Before anything else is loaded: as an older release would say. */
const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } })`;

test('says in one line which release of Node it needs given an older one', async () => {
  expect(await resultOf(spawnCommand(['--version'], { NODE_OPTIONS: preloaded(OLD) }))).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: Node 22.19 or later is needed, and this is 22.18.0\n',
  });
});
