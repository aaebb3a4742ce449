import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { makeProject, mockCommand, type Project } from '../service/project.ts';
import { resultOf } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/** Starts the tests that stand for checks. */
function vitest(
  { environment }: Project,
  more: Readonly<Record<string, string>>,
  mode: 'run' | 'watch',
): ChildProcess {
  const args = [VITEST, mode, '--project', 'conformance'];
  return spawn(process.execPath, args, { cwd: ROOT, env: { ...environment, ...more }, stdio: 'pipe' });
}

/** Seven checks of models, one of which may lack a second key, the own one, and the run. */
const NINE = /Tests +[89] passed .*\(9\)/;

const CHECKS = `
  import { check, getStimulus, HOLDS } from 'chat-conformance/checks';
  const given = getStimulus('x-models', '/models', ['primary']);
  export default [check({ id: 'x-own', title: 'is judged too', given, holds: () => HOLDS })];
`;

function configuration(settings: string): string {
  return `import { defineConfig } from 'chat-conformance';
    export default defineConfig({ only: ['own', 'models'], seed: 1, report: 'out', checks: 'checks.ts', ${settings} });`;
}

test('starts the service of a configuration, and runs its selection and own checks as tests', async () => {
  const start = JSON.stringify(mockCommand('{port}'));
  const project = makeProject({
    'checks.ts': CHECKS,
    'local.ts': configuration(
      `targets: { local: { start: ${start}, baseUrl: 'http://127.0.0.1:{port}/v1' } }`,
    ),
  });
  const env = { CHAT_CONFIG: join(project.folder, 'local.ts'), CHAT_TARGET: 'local' };
  const { code, stdout } = await resultOf(vitest(project, env, 'run'));
  expect(code).toBe(0);
  expect(stdout).toMatch(NINE);
}, 120_000);

test('shows a failure with its evidence, at a base URL alone', async () => {
  const { baseUrl } = await startErringService();
  const project = makeProject({ 'none.json': '{ "only": ["REQ-6"], "seed": 1, "report": "out" }' });
  const env = { CHAT_BASE_URL: baseUrl, CHAT_CONFIG: join(project.folder, 'none.json') };
  const { code, stderr } = await resultOf(vitest(project, env, 'run'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/REQ-6 \(stated\)/);
}, 120_000);

test('prints no workflow command of a target that a run cannot begin with', async () => {
  const { baseUrl } = await startErringService((_arrival, response) => {
    response.writeHead(500, { server: '##[error]s' }).end('<title>##[error]t</title>\n::error::e');
    return true;
  });
  const project = makeProject({ 'none.json': '{ "only": ["REQ-6"], "report": "out" }' });
  const env = { CHAT_BASE_URL: baseUrl, CHAT_CONFIG: join(project.folder, 'none.json') };
  const { code, stdout, stderr } = await resultOf(vitest(project, { ...env, GITHUB_ACTIONS: 'true' }, 'run'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('#[error]s')]);
  expect(stdout + stderr).not.toMatch(/##\[|^::error::/m);
}, 120_000);

test('fails a run that is incomplete, since no chat was accepted, and one whose target is missing', async () => {
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (body.length === 0) return false;
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":{"code":"no","message":"No."}}');
    return true;
  });
  const project = makeProject({
    'free.json': '{ "only": ["models-can-be-listed", "REQ-6"], "tier": "free", "report": "out" }',
  });
  const config = { CHAT_CONFIG: join(project.folder, 'free.json') };
  const refusing = await resultOf(vitest(project, { ...config, CHAT_BASE_URL: baseUrl }, 'run'));
  expect(refusing.code).toBe(1);
  expect(refusing.stderr).toContain(`the run of ${baseUrl} is complete`);
  expect(refusing.stderr).toContain(
    'no chat was accepted, since this run sends only chats that must be refused',
  );
  const missing = await resultOf(vitest(project, { ...config, CHAT_BASE_URL: '' }, 'run'));
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('CHAT_BASE_URL is empty: it must look like');
}, 120_000);

test('ends in its time, and fails as incomplete, given a service whose chats never end', async () => {
  const { baseUrl } = await startErringService(({ body }, response) => {
    if (body.length > 0) response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    return body.length > 0;
  });
  const settings = { tier: 'smoke', maxTime: '1s', timeout: 600_000, report: 'out' };
  const project = makeProject({ 'short.json': JSON.stringify(settings) });
  const env = { CHAT_BASE_URL: baseUrl, CHAT_CONFIG: join(project.folder, 'short.json') };
  const { code, stderr } = await resultOf(vitest(project, env, 'run'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/the run of http:\S+ is complete\nError: --max-time 1s is over: \d+ draws were/);
}, 120_000);

/** Reads on until the output holds this. */
async function until(child: ChildProcess, text: string): Promise<string> {
  let seen = '';
  while (!seen.includes(text)) {
    const [chunk]: Buffer[] = await once(child.stdout ?? child, 'data');
    seen += String(chunk);
  }
  return seen;
}

test('runs again in watch mode, and not because of its own reports', async () => {
  const mock = await startMock({ port: 0 });
  onTestFinished(() => mock.close());
  const project = makeProject({ 'checks.ts': CHECKS, 'local.ts': configuration('') });
  const env = { CHAT_BASE_URL: mock.url, CHAT_CONFIG: join(project.folder, 'local.ts') };
  const child = vitest(project, env, 'watch');
  onTestFinished(async () => {
    child.kill();
    await once(child, 'close');
  });
  expect(await until(child, 'Waiting for file changes')).toMatch(NINE);
  utimesSync(join(ROOT, 'scripts', 'conformance.vitest.ts'), new Date(), new Date());
  const again = await until(child, 'Waiting for file changes');
  expect(again).toMatch(NINE);
  expect(again.match(/RERUN/g)).toHaveLength(1);
}, 120_000);
