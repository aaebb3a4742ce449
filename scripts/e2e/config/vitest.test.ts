import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { makeProject, type Project } from '../service/project.ts';
import { resultOf } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');

/** Starts the tests that stand for checks. */
function vitest({ environment }: Project, more: Readonly<Record<string, string>>, mode: 'run' | 'watch') {
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

const CONFIGURATION = `
  import { defineConfig } from 'chat-conformance';
  const targets = { local: { baseUrl: process.env.WHERE ?? '' } };
  export default defineConfig({ only: ['own', 'models'], seed: 1, report: 'out', checks: 'checks.ts', targets });
`;

test('shows a failure with its evidence, and no workflow command of the target', async () => {
  const { baseUrl } = await startErringService((_arrival, response) => {
    response.setHeader('server', '##[error]s');
    return false;
  });
  const project = makeProject({
    'none.json': '{ "only": ["REQ-6"], "tier": "smoke", "seed": 1, "report": "out" }',
  });
  const env = { CHAT_BASE_URL: baseUrl, CHAT_CONFIG: join(project.folder, 'none.json') };
  const { code, stdout, stderr } = await resultOf(vitest(project, { ...env, GITHUB_ACTIONS: 'true' }, 'run'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/REQ-6 \(stated\)/);
  expect(stdout + stderr).not.toMatch(/##\[/);
});

/** Reads on until the output holds this. */
async function until(child: ChildProcess, text: string): Promise<string> {
  let seen = '';
  while (!seen.includes(text)) {
    const [chunk]: Buffer[] = await once(child.stdout ?? child, 'data');
    seen += String(chunk);
  }
  return seen;
}

test('runs the selection and the own checks of a configuration, again in watch mode, and not because of its reports', async () => {
  const mock = await openMock({ port: 0 });
  const project = makeProject({ 'checks.ts': CHECKS, 'local.ts': CONFIGURATION });
  const env = { WHERE: mock.url, CHAT_TARGET: 'local', CHAT_CONFIG: join(project.folder, 'local.ts') };
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
});
