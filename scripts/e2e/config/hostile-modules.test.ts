import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { makeProject } from '../service/project.ts';
import { resultOf, spawnCommand } from '../support/command.ts';

test.each([
  ['that exports a promise', 'export default new Promise(() => {})', /exports a promise: write /],
  ['of TypeScript that Node cannot run', 'enum Tier { Smoke }', /TypeScript enum is not supported/],
  ['without a default export', 'export const tier = 1;', /has no default export/],
  ['with a wrong setting', 'export default { tier: 3 };', /#\/tier: /],
])('ends with one line and exit code 2 given a configuration %s', async (_name, text, said) => {
  const { command } = makeProject({ 'own.mts': text });
  const { code, stderr } = await resultOf(command('--config', 'own.mts', '--show-config'));
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(said)]);
  expect(stderr).toMatch(/^error: own\.mts\b/);
  expect(code).toBe(2);
});

test('does not exit as if there were violations given a module that fails later', async () => {
  const { command } = makeProject({
    'own.mjs': `setTimeout(() => { throw new Error('later') }, 1); export default {}`,
  });
  const { code, stderr } = await resultOf(command('--mock', '--config', 'own.mjs', '--only', 'models'));
  expect(stderr).toMatch(
    /^internal error: Error: later$[^]*^This is an error of chat-conformance, or of a /m,
  );
  expect(code).toBe(3);
});

test('does not exit as if there were violations given a dependency that is not installed', async () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name === 'commander') throw new Error('not installed');
      return next(name, context);
    } });`;
  const options = `--import data:text/javascript,${encodeURIComponent(hook)}`;
  const { code, stderr } = await resultOf(spawnCommand(['list'], { NODE_OPTIONS: options }));
  expect([code, stderr]).toEqual([3, 'internal error: Error: not installed\n']);
});

const given = (more: string): string => `{
  name: 'x-models', stage: 'free', cappedCount: 1,
  inputs: () => ({ examples: [1] }), cost: () => ({ reads: 1 }),
  send: async (_, sender) => ({ exchanges: [await sender.send({
    method: 'GET', path: '/models', headers: {}, credential: { kind: 'key', name: 'primary' }, body: undefined,
  })] }),
  ${more}
}`;

/** Own checks of one stimulus, each with a judgement. */
const checks = (of: string, judgements: readonly string[]): string => `
  import { check, HOLDS } from 'chat-conformance/checks';
  const given = ${given(of)};
  export default [${judgements.map((holds, i) => `check({ id: 'x-${i}', title: 'is one', given, holds: ${holds} })`).join()}];
`;

test.each(['inputs', 'cost'])('names the module whose stimulus throws for its %s', async (member) => {
  const own = checks(`${member}: () => { throw new Error('none') }`, ['() => HOLDS']);
  const { command } = makeProject({ 'checks.mjs': own });
  const run = await resultOf(command('--mock', '--checks', 'checks.mjs', '--only', 'own', '--seed', '1'));
  expect([run.code, run.stderr]).toEqual([2, 'error: checks.mjs: a stimulus cannot be planned: none\n']);
});

const NONE = ['async () => HOLDS', 'async () => { throw 1 }', '() => undefined', '() => ({ kind: "held" })'];

test('reports own checks as broken, and never as passed, given judgements that are none', async () => {
  const { command, folder } = makeProject({ 'checks.mjs': checks('', NONE) });
  const options = ['--only', 'own', '--seed', '1', '--report', 'out'];
  const run = await resultOf(command('--mock', '--checks', 'checks.mjs', ...options));
  expect(run.stdout).toMatch(/your check threw TypeError: a judgement [^(]+$/m);
  const verdicts = readReport(join(folder, 'out')).checks.map(({ verdict }) => verdict);
  expect([run.code, verdicts]).toEqual([3, NONE.map(() => 'error')]);
});
