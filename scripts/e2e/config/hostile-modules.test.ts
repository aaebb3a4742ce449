import { expect, test } from 'vitest';
import { makeProject } from '../service/project.ts';
import { resultOf } from '../support/command.ts';

const NEVER = 'await new Promise(() => {}); export default {}';

const CONFIGURATIONS: readonly (readonly [string, string, RegExp])[] = [
  ['that never ends to load', NEVER, /cannot be loaded: it waits for something that never comes$/],
  ['that exports a promise', 'export default new Promise(() => {})', /exports a promise: write /],
  ['that throws nothing', 'throw undefined', /cannot be loaded: undefined$/],
  ['that throws what has no text', 'throw Object.create(null)', /cannot be loaded: something was thrown/],
  ['that throws escapes', String.raw`throw new Error('\u001B[31mred\nmore')`, /: \\u001b\[31mred$/],
  ['with a getter that throws', `export default { get baseUrl() { throw new Error('no') } }`, /: no$/],
  ['that is a proxy', `export default new Proxy({}, { get() { throw new Error('no') } })`, /: no$/],
];

test.each(CONFIGURATIONS)(
  'ends with one line and exit code 2 given a configuration %s',
  async (_name, text, said) => {
    const { command } = makeProject({ 'own.mjs': text });
    const { code, stderr } = await resultOf(command('--config', 'own.mjs', '--show-config'));
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(said)]);
    expect(stderr).toMatch(/^error: own\.mjs /);
    expect(code).toBe(2);
  },
);

test('does not exit as if there were violations given a module that fails later', async () => {
  const { command } = makeProject({
    'own.mjs': `setTimeout(() => { throw new Error('later') }, 1); export default {}`,
  });
  const { code, stderr } = await resultOf(command('--mock', '--config', 'own.mjs', '--only', 'models'));
  expect(stderr).toContain('internal error: Error: later');
  expect(code).toBe(3);
});

const checks = (of: string, holds = '() => HOLDS'): string => `
  import { check, HOLDS } from 'chat-conformance/checks';
  const given = {
    name: 'x-models', stage: 'free', cappedCount: 1,
    inputs: () => ({ examples: [1] }), cost: () => ({ reads: 1 }),
    send: async (_, sender) => ({ exchanges: [await sender.send({
      method: 'GET', path: '/models', headers: {}, credential: { kind: 'key', name: 'primary' }, body: undefined,
    })] }),
    ${of}
  };
  export default [check({ id: 'x-one', title: 'is one', given, holds: ${holds} })];
`;

test.each([
  ['inputs', 'inputs: () => null', /inputs of x-models#: /],
  ['inputs', `inputs: () => { throw new Error('none') }`, /inputs of x-models throws: none$/],
  ['costs', 'cost: () => ({ reads: -1 })', /cost of x-models#\/reads: /],
  ['costs', 'cost: () => { throw null }', /cost of x-models throws: null$/],
])('names the own stimulus whose %s are wrong: %s', async (_name, member, said) => {
  const { command } = makeProject({ 'checks.mjs': checks(member) });
  const { code, stderr } = await resultOf(
    command('--mock', '--checks', 'checks.mjs', '--only', 'own', '--seed', '1'),
  );
  expect({ code, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 2,
    lines: [expect.stringMatching(said)],
  });
});

test.each(['async () => HOLDS', 'async () => { throw 1 }', '() => undefined', '() => ({ kind: "held" })'])(
  'reports an own check as broken, and never as passed, given the judgement %s',
  async (holds) => {
    const { command } = makeProject({ 'checks.mjs': checks('', holds) });
    const { code, stdout } = await resultOf(
      command('--mock', '--checks', 'checks.mjs', '--only', 'own', '--seed', '1'),
    );
    expect(stdout).toMatch(/x-one[^]*this check of yours threw TypeError: a judgement [^(]+$/m);
    expect(code).toBe(3);
  },
);
