import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { makeProject } from '../service/project.ts';
import { resultOf, spawnCommand } from '../support/command.ts';

test.each([
  [
    'that exports a promise',
    'export default new Promise(() => {})',
    /^error: own\.mjs exports a promise: .+\n$/,
  ],
  ['without a default export', 'export const tier = 1;', /^error: own\.mjs has no default export.*\n$/],
  ['with a wrong setting', 'export default { tier: 3 };', /^error: own\.mjs#\/tier: .+\n$/],
])('ends with one line and exit code 2 given a configuration %s', async (_name, text, said) => {
  const { call } = makeProject({ 'own.mjs': text });
  const shown = await call('--config', 'own.mjs', '--show-config');
  expect(shown).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
});

test('ends with one line and exit code 2 given a configuration of TypeScript that Node cannot run', async () => {
  const { command } = makeProject({ 'own.mts': 'enum Tier { Smoke }' });
  const shown = await resultOf(command('--config', 'own.mts', '--show-config'));
  const said = expect.stringMatching(/^error: own\.mts\b.*TypeScript enum is not supported.*\n$/);
  expect(shown).toMatchObject({ code: 2, stderr: said });
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
  const given = ${given(of)};
  export default [${judgements.map((holds, i) => `{ id: 'x-${i}', title: 'is one', given, holds: ${holds} }`).join()}];
`;

test.each(['inputs', 'cost'])('names the module whose stimulus throws for its %s', async (member) => {
  const own = checks(`${member}: () => { throw new Error('none') }`, ['() => undefined']);
  const { call } = makeProject({ 'checks.mjs': own });
  const run = await call('--mock', '--checks', 'checks.mjs', '--only', 'own', '--seed', '1');
  expect([run.code, run.stderr]).toEqual([2, 'error: checks.mjs: a stimulus cannot be planned: none\n']);
});

const NONE = [
  'async () => ({ kind: "holds" })',
  'async () => { throw 1 }',
  '() => undefined',
  '() => ({ kind: "held" })',
];

test('reports own checks as broken, and never as passed, given judgements that are none', async () => {
  const { call, folder } = makeProject({ 'checks.mjs': checks('', NONE) });
  const options = ['--only', 'own', '--seed', '1', '--report', 'out'];
  const run = await call('--mock', '--checks', 'checks.mjs', ...options);
  expect(run.stdout).toMatch(/your check threw TypeError: a judgement [^(]+$/m);
  const verdicts = readReport(join(folder, 'out')).checks.map(({ verdict }) => verdict);
  expect([run.code, verdicts]).toEqual([3, NONE.map(() => 'error')]);
});
