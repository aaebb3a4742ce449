import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packedPackage } from '../container/built-image.ts';
import { install, newProject } from './install.ts';

// The package in projects that already have a client and a test runner of their own, from the registry.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What the docs print for a test of a client: it imports `openai`, the mock and `toBeFaithful()`. */
const [, CLIENT_TEST = ''] =
  /## In tests\n\n```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'callers.md'), 'utf8')) ?? [];

const CHECKS_TEST = `
  import { conformanceTests } from 'chat-conformance/vitest-checks';
  await conformanceTests();
`;

/** The release of a package that is installed in a project. */
function releaseIn(folder: string, name: string): string {
  const file = join(folder, 'node_modules', name, 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

/** What vitest says of each test of a project, by its title. */
async function testsIn(folder: string): Promise<Record<string, string>> {
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const file = join(folder, 'results.json');
  await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${file}`], { cwd: folder });
  const said: { testResults: { assertionResults: { title: string; status: string }[] }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const tests = said.testResults.flatMap(({ assertionResults }) => assertionResults);
  return Object.fromEntries(tests.map(({ title, status }) => [title.split(':')[0], status]));
}

/** The errors of the compiler in a test that is written in TypeScript. */
async function typeErrorsIn(folder: string, file: string): Promise<string> {
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const compiled = run(compiler, [...strict, ...types, file], { cwd: folder });
  return (await compiled.catch((error: { readonly stdout: string }) => error)).stdout;
}

/** A project whose lockfile has settled which release of `openai` it uses, where its manifest allows later ones. */
function projectWith(openai: string, vitest: string): ReturnType<typeof newProject> {
  const dependencies = { openai: `^${openai}`, vitest };
  const project = newProject(dependencies);
  const packages = { '': { dependencies }, 'node_modules/openai': { version: openai } };
  const lockfile = { lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(project.folder, 'package-lock.json'), JSON.stringify(lockfile));
  return project;
}

const NEIGHBOURS = [
  ['5.23.2', '2.1.9'],
  ['6.49.0', '3.2.7'],
  // Its manifest allows the tested client, to which npm could move it.
  ['7.22.0', '4.1.12'],
  ['7.57.0', '5.1.1'],
] as const;

test.concurrent.for(NEIGHBOURS)(
  'works beside openai %s and vitest %s, and leaves both as they are',
  { timeout: 240_000 },
  async ([openai, vitest], { onTestFinished }) => {
    const { folder, remove } = projectWith(openai, vitest);
    onTestFinished(remove);
    await install(folder, await packedPackage());
    expect([releaseIn(folder, 'openai'), releaseIn(folder, 'vitest')]).toEqual([openai, vitest]);

    writeFileSync(join(folder, 'client.test.ts'), CLIENT_TEST);
    writeFileSync(join(folder, 'checks.test.ts'), CHECKS_TEST);
    writeFileSync(join(folder, 'chat-conformance.config.json'), JSON.stringify({ only: ['VER-2'] }));
    expect(await testsIn(folder)).toEqual({
      'leaves alone what a gateway lost': 'passed',
      'client-lists-models': 'passed',
      'client-completes': 'passed',
      'client-streams': 'passed',
      'client-raises-typed-error': 'passed',
      'client-reads-error-items': 'passed',
      'client-reads-error-code': 'passed',
      'client-reads-finish-reason': 'passed',
      'json-content-type': 'passed',
      'declared-coding': 'passed',
      'the run of the bundled mock is complete': 'passed',
    });
    expect(await typeErrorsIn(folder, 'client.test.ts')).toBe('');
  },
);
