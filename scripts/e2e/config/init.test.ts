import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeProject } from '../service/project.ts';
import { callCommand, resultOf } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

test('writes a configuration that holds as it stands, a CI job, and a line for git', async () => {
  const dev = { scripts: { dev: 'next dev -p 3100' } };
  const { folder, command } = makeProject({ 'package.json': JSON.stringify(dev) });
  expect((await resultOf(command('init'))).stdout).toContain('wrote chat-conformance.config.ts');
  expect((await resultOf(command('--show-config'))).stdout).toMatch(
    /^baseUrl +http:\/\/127\.0\.0\.1:3100\/v1 +chat-conformance\.config\.ts#\/targets\/local\/baseUrl\n(?:.*\n)*tier +full /m,
  );
  const written = readFileSync(join(folder, 'chat-conformance.config.ts'), 'utf8');
  expect(written).toContain("// start: 'npm run dev',");
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('chat-conformance-report/\n');
  const job: { jobs: { conformance: { steps: { run?: string; uses?: string }[] } } } = parse(
    readFileSync(join(folder, '.github', 'workflows', 'chat-conformance.yml'), 'utf8'),
  );
  const { steps } = job.jobs.conformance;
  const commands = steps.flatMap((step) => step.run ?? []);
  // npx fetches nothing: the lockfile of the project says which package it is.
  const line = expect.stringMatching(/^npx --no -- chat-conformance --target staging /);
  expect(commands).toEqual(['npm ci', line]);
  expect(steps.flatMap((step) => step.uses ?? []).every((uses) => /@[0-9a-f]{40}$/.test(uses))).toBe(true);
});

test('keeps what is there', async () => {
  const folder = temporaryFolder();
  const init = async (): Promise<string> => (await callCommand(['init'], {}, folder)).stdout;
  writeFileSync(join(folder, '.gitignore'), 'dist');
  writeFileSync(join(folder, 'chat-conformance.config.json'), '{}');
  expect(await init()).toContain('chat-conformance.config.json is there already');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('dist\nchat-conformance-report/\n');
  appendFileSync(join(folder, '.github', 'workflows', 'chat-conformance.yml'), '# mine\n');
  const second = await init();
  expect(second).toContain('.gitignore has its line already');
  expect(second).toContain('.github/workflows/chat-conformance.yml is there already');
  expect(second).not.toContain('wrote');
});
