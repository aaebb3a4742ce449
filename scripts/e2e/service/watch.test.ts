import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { COMMAND } from '../support/command.ts';
import { makeProject, mockCommand, type Project } from './project.ts';

const BASE_URL = 'http://127.0.0.1:{port}/v1';
const DEFECT = '--defect unknown-fields-stripped\n';
const FAILING = /^(?:Fails|Still fails|New): (?=.*unheard-of-field-refused)/m;
const WAITING = /waiting for changes/;

/** What is selected keeps the rounds short. */
const FEW = ['--only', 'unheard-of-field-refused,models-can-be-listed,known-parameter-refused'];

/** A project whose service has the options of a file. */
function projectOf(options: string): Project {
  const project = makeProject({ 'options.conf': options, '.gitignore': '*.log\n' });
  execFileSync('git', ['init', '--quiet', project.folder]);
  return project;
}

/** Waits for text in the output of a process, each time after what was found before. */
function reader(child: ChildProcess): (wanted: RegExp) => Promise<string> {
  let unread = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => (unread += chunk));
  return (wanted) =>
    vi.waitFor(
      () => {
        const match = wanted.exec(unread);
        if (match === null) throw new Error(`no ${wanted} in: ${unread}`);
        const end = match.index + match[0].length;
        const read = unread.slice(0, end);
        unread = unread.slice(end);
        return read;
      },
      { timeout: 40_000, interval: 20 },
    );
}

function started(child: ChildProcess): (wanted: RegExp) => Promise<string> {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'close');
  });
  return reader(child);
}

/** The checks of each run so far, in its order. */
function checksOfRuns({ folder }: Project): readonly (readonly string[])[] {
  const runs = join(folder, 'chat-conformance-report');
  const names = readdirSync(runs).filter((name) => name !== 'latest');
  return names.toSorted().map((name) => {
    const { checks }: { checks: { id: string }[] } = JSON.parse(
      readFileSync(join(runs, name, 'report.json'), 'utf8'),
    );
    return checks.map(({ id }) => id).toSorted();
  });
}

const start = ['--start', `${mockCommand('{port}')} $(cat options.conf)`, '--base-url', BASE_URL];

test('makes one report of each round, and says what it changed, or why the service died', async () => {
  const project = projectOf(DEFECT);
  mkdirSync(join(project.folder, 'lib'));
  project.write('lib/old.log', 'ignored, and nothing else is there yet');
  const read = started(project.commandInOrder('--watch', ...start, ...FEW));
  const first = await read(FAILING);
  expect(first).toContain('✘ unheard-of-field-refused');
  expect(first).toMatch(/^checking http:\/\/127\.0\.0\.1:\d+\/v1$/m);
  await read(WAITING);
  project.write('service.log', 'ignored');
  project.write('options.conf', '\n');
  expect(await read(/^changed: .*$/m)).toMatch(/changed: options\.conf$/);
  await read(/^What failed before was sent again: none of it fails$/m);
  expect(await read(/^Fixed: known-parameter-refused unheard-of-field-refused$/m)).toContain(
    '28 of 28 inputs sent',
  );
  await read(WAITING);
  project.write('lib/new.ts', 'a source');
  await read(/^changed: lib\/new\.ts$/m);
  await read(/^Nothing fails$/m);
  await read(WAITING);
  project.write('options.conf', '--no-such-option\n');
  await read(/has ended \(exit code 2\):[^]*unknown option '--no-such-option'/);
  await read(WAITING);
  project.write('options.conf', DEFECT);
  await read(/^New: known-parameter-refused unheard-of-field-refused$/m);
  await read(WAITING);
  const all = ['known-parameter-refused', 'models-can-be-listed', 'unheard-of-field-refused'];
  expect(checksOfRuns(project)).toEqual([all, all, all, all, all]);
});

test('checks a service that restarts itself, once it answers again', async () => {
  let mock = await startMock({ defect: 'unknown-fields-stripped' });
  const port = Number(new URL(mock.url).port);
  onTestFinished(() => mock.close());
  const project = projectOf('\n');
  mkdirSync(join(project.folder, 'src'));
  const read = started(project.commandInOrder('--watch', 'src', '--base-url', mock.url, ...FEW));
  await read(FAILING);
  await read(WAITING);
  project.write('beside.txt', 'not watched');
  project.write('src/service.txt', 'mended');
  expect(await read(/^changed: .*$/m)).toMatch(/changed: src\/service\.txt$/);
  // It notices the change after the run.
  await setTimeout(200);
  await mock.close();
  mock = await startMock({ port });
  await read(/^Fixed: /m);
});

test('begins no round with the data that the service writes beside its sources', async () => {
  const project = projectOf('\n');
  mkdirSync(join(project.folder, 'uploads'));
  const writing = '(while sleep 0.2; do date >> data.db; date > uploads/$(date +%s%N); done) &';
  const restless = `${writing} ${mockCommand('{port}')} $(cat options.conf)`;
  const read = started(
    project.commandInOrder('--watch', '--start', restless, '--base-url', BASE_URL, ...FEW),
  );
  await read(WAITING);
  project.write('options.conf', DEFECT);
  expect(await read(/^changed: .*$/m)).toMatch(/^changed: options\.conf$/m);
  await read(FAILING);
});

test('begins a round with each source that was saved in a round before, and with none that holds the same', async () => {
  const project = projectOf('\n');
  const rewriting = `cp options.conf built.conf; ${mockCommand('{port}')} $(cat built.conf)`;
  const child = project.commandInOrder('--watch', '--start', rewriting, '--base-url', BASE_URL, ...FEW);
  const read = started(child);
  for (const options of ['--seed 1', '--seed 2', '--seed 3', '--seed 4', DEFECT]) {
    await read(/^checking /m);
    project.write('options.conf', options);
    await read(/^changed: .*options\.conf/m);
  }
  const last = await read(FAILING);
  await read(WAITING);
  // What was begun and not ended leaves no report, nor a folder.
  expect(checksOfRuns(project)).toHaveLength(1);
  // Of the last round: a file that the service has written may have begun another before it.
  const [service = ''] = last.match(/http:\/\/127\.0\.0\.1:\d+\/v1/g)?.slice(-1) ?? [];
  expect((await fetch(`${service}/models`)).status).toBe(401);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.exitCode).toBe(130);
  await expect(fetch(service)).rejects.toThrow('fetch failed');
});

/** The program that gives a command a terminal; that of other systems has other options. */
const TERMINAL = 'script';
const hasTerminal = process.platform === 'linux';

test.runIf(hasTerminal)(
  'checks again on Enter in a terminal, only what failed with --last-failed, until Ctrl-C',
  async () => {
    const project = projectOf(DEFECT);
    const words = [process.execPath, COMMAND, '--watch', '--last-failed', ...start, ...FEW];
    const line = words.map((word) => `'${word}'`).join(' ');
    const options = { cwd: project.folder, env: project.environment };
    const child = spawn(TERMINAL, ['-qec', line, '/dev/null'], options);
    const read = started(child);
    const checks: (number | undefined)[] = [];
    const begins = [
      () => {},
      () => child.stdin.write('\n'),
      () => project.write('options.conf', `--seed 3 ${DEFECT}`),
    ];
    for (const begin of begins) {
      begin();
      await read(FAILING);
      await read(WAITING);
      checks.push(checksOfRuns(project).at(-1)?.length);
    }
    expect(checks).toEqual([3, 2, 2]);
    child.stdin.write('\u0003');
    await once(child, 'close');
    expect(child.exitCode).toBe(130);
  },
);
