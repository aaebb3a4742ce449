import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { COMMAND } from '../support/command.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const KEYS = { STAGING_API_KEY: 'a-key-for-staging', CHAT_API_KEY: 'a-key-for-here' };

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function run(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], ...KEYS };
  return execFileSync(process.execPath, [COMMAND, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

test('writes a configuration that holds as it stands, a CI job, and a line for git', () => {
  const folder = emptyFolder();
  expect(run(folder, 'init')).toContain('wrote chat-conformance.config.ts');
  expect(run(folder, '--target', 'staging', '--plan')).toMatch(/staging\.example|completions/);
  expect(run(folder, '--target', 'local', '--show-config')).toMatch(
    /^tier +exhaustive +chat-conformance\.config\.ts/m,
  );
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('chat-conformance-report/\n');
  const job: { jobs: { conformance: { steps: { run?: string; uses?: string }[] } } } = parse(
    readFileSync(join(folder, '.github', 'workflows', 'chat-conformance.yml'), 'utf8'),
  );
  const { steps } = job.jobs.conformance;
  const commands = steps.flatMap((step) => step.run ?? []);
  // npx fetches nothing: the lockfile of the project says which package it is.
  expect(commands).toEqual([
    'npm ci',
    expect.stringMatching(/^npx --no -- chat-conformance --target staging /),
  ]);
  expect(steps.flatMap((step) => step.uses ?? []).every((uses) => /@[0-9a-f]{40}$/.test(uses))).toBe(true);
  const [, , , ...words] = (commands[1] ?? '').split(' ');
  expect(run(folder, ...words.slice(1), '--plan', '--report', 'plan')).toMatch(/completions/);
});

test('writes a configuration whose types the compiler accepts', () => {
  const folder = emptyFolder();
  run(folder, 'init');
  // As installed: the name leads to the sources here.
  const paths = { 'chat-conformance': [join(ROOT, 'scripts', 'cli', 'config', 'define-config.ts')] };
  const base = join(ROOT, 'tsconfig.json');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: base,
      compilerOptions: { paths, noEmit: true, rootDir: '/' },
      include: ['*.ts'],
    }),
  );
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const check = (): string =>
    execFileSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(check()).toBe('');
  const file = join(folder, 'chat-conformance.config.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace("tier: 'full'", "tier: 'huge'"));
  expect(check).toThrow('Command failed');
});

test('keeps what is there', () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, '.gitignore'), 'dist');
  writeFileSync(join(folder, 'chat-conformance.config.json'), '{}');
  expect(run(folder, 'init')).toContain('chat-conformance.config.json is there already');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('dist\nchat-conformance-report/\n');
  appendFileSync(join(folder, '.github', 'workflows', 'chat-conformance.yml'), '# mine\n');
  const second = run(folder, 'init');
  expect(second).toContain('.gitignore has its line already');
  expect(second).toContain('.github/workflows/chat-conformance.yml is there already');
  expect(second).not.toContain('wrote');
});
