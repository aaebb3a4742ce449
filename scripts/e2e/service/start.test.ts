import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { resultOf } from '../support/command.ts';
import { isAlive, makeProject, mockCommand, type Project } from './project.ts';

const URL_WITH_PORT = 'http://127.0.0.1:{port}/v1';
const ONE = ['--only', 'models-can-be-listed,chat-served', '--tier', 'smoke'];

/** A service with a process beside it that would outlive it; both say their IDs. */
const TREE = `
  import { spawn } from 'node:child_process';
  import { writeFileSync } from 'node:fs';
  const [command, ...args] = process.argv.slice(2);
  const forever = ['-e', 'setInterval(() => {}, 1000)'];
  const beside = spawn(process.execPath, forever, { stdio: 'ignore' });
  const service = spawn(command, args, { stdio: 'inherit' });
  writeFileSync('pids.json', JSON.stringify([process.pid, beside.pid, service.pid]));
`;

const treeOf = (): string => `"${process.execPath}" tree.mjs ${mockCommand('{port}')}`;

async function pidsOf({ folder }: Project): Promise<readonly number[]> {
  const file = join(folder, 'pids.json');
  return vi.waitFor(() => JSON.parse(readFileSync(file, 'utf8')), { timeout: 20_000 });
}

async function expectGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}

test('starts the service of a configuration in its folder, and ends its tree and itself with the code of the run', async () => {
  const start = `${treeOf()} --defect unknown-fields-stripped`;
  const target = { start, baseUrl: URL_WITH_PORT, keys: { primary: { env: 'CHAT_API_KEY' } } };
  const configuration = JSON.stringify({ targets: { local: target } });
  const project = makeProject({ 'tree.mjs': TREE, 'chat-conformance.config.json': configuration });
  const run = project.command('--target', 'local', '--only', 'unheard-of-field-refused');
  const { code, stdout } = await resultOf(run);
  expect(code).toBe(1);
  expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/v1 \(live\)/);
  await expectGone(await pidsOf(project));
});

const DYING = `
  import { createServer } from 'node:http';
  let count = 0;
  createServer((request, response) => {
    if (++count > 2) { console.log('out of memory for ' + request.headers.authorization); process.exit(7); }
    const data = [{ id: 'm', object: 'model' }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data }));
  }).listen(Number(process.argv[2]), '127.0.0.1');
`;

test.each([
  ['before it answers', 'console.log("reads"); throw new Error("no database")', 1, /reads[^]*Error: no data/],
  ['in the run, without the key', DYING, 7, /out of memory for Bearer (?!mock-)/],
])('shows the last output of a service that dies %s', async (_when, program, exitCode, output) => {
  const start = ['--start', `"${process.execPath}" dying.mjs {port}`, '--base-url', URL_WITH_PORT];
  const { code, stderr } = await makeProject({ 'dying.mjs': program }).call(...start);
  expect([1, 3, 4]).toContain(code);
  expect(stderr).toContain(`The service that --start started has ended (exit code ${exitCode}):`);
  expect(stderr).toMatch(output);
});

test('refuses to start a service where something answers already', async () => {
  const mock = await openMock();
  const project = makeProject();
  const run = await project.call('--start', 'touch started', '--base-url', mock.url, ...ONE);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('already in use') });
  expect(existsSync(join(project.folder, 'started'))).toBe(false);
});

test('ends the whole tree when the run gets SIGTERM', async () => {
  const project = makeProject({ 'tree.mjs': TREE });
  const run = project.command('--start', treeOf(), '--base-url', URL_WITH_PORT, '--tier', 'exhaustive');
  const pids = await pidsOf(project);
  onTestFinished(() => pids.filter(isAlive).forEach((pid) => process.kill(pid, 'SIGKILL')));
  expect(pids.filter(isAlive)).toEqual(pids);
  run.kill('SIGTERM');
  await resultOf(run);
  await expectGone(pids);
});

test('waits out a refused connection and a gateway whose service starts, and says for what', async () => {
  const mock = await startMock();
  const { port } = new URL(mock.url);
  await mock.close();
  const project = makeProject();
  const run = project.command('--base-url', `http://127.0.0.1:${port}/v1`, '--wait', '60', ...ONE);
  const result = resultOf(run);
  let seen = '';
  run.stderr?.on('data', (chunk) => (seen += String(chunk)));
  await expect.poll(() => seen).toContain('(connection refused), 60 s at most');
  const gateway = createServer((_request, response) => response.writeHead(503).end());
  await once(gateway.listen(Number(port), '127.0.0.1'), 'listening');
  await expect.poll(() => seen).toContain('(status 503), 60 s at most');
  gateway.closeAllConnections();
  await once(gateway.close(), 'close');
  await openMock({ port: Number(port) });
  expect((await result).code).toBe(0);
});

test.each([
  ['http://127.0.0.1:9/v1', [], /^(?!.*waiting for)/s],
  ['http://nobody.invalid/v1', ['--wait', '600'], /no such host/],
  ['http://127.0.0.1:9/v1', ['--wait', '1'], /127.0.0.1:9\/v1 did not answer within 1 s: connection refused/],
])('waits no longer than it may help for %s given %j', async (baseUrl, wait, said) => {
  const run = await makeProject().call('--base-url', baseUrl, ...wait, ...ONE);
  expect(run).toMatchObject({ code: 4, stderr: expect.stringMatching(said) });
});
