import { expect, test } from 'vitest';
import { runNodeTest } from '../support/node-test-run.ts';

const HELPER = new URL('../../../mock-server/use-mock/use-mock-node-test.ts', import.meta.url).href;

async function run(...tests: readonly string[]): Promise<{ code: unknown; output: string }> {
  const program = `
    import test from 'node:test';
    import { useNodeTestMock as useMock } from ${JSON.stringify(HELPER)};
    const mock = useMock();
    const ask = () => fetch(process.env.OPENAI_BASE_URL + '/models', {
      headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    });
    const assert = (fact) => { if (!fact) throw new Error('not so'); };
    ${tests.join('\n')}`;
  return runNodeTest(program);
}

test('gives each test of node:test a sandbox, and ends with it', async () => {
  const { code, output } = await run(
    `test('one', async () => { mock().arm('rate_limit times=1'); assert((await ask()).status === 429); });`,
    `test('two', async () => { assert((await ask()).status === 200); assert(mock().journal.came === 1); });`,
  );
  expect(output).toMatch(/pass 2/);
  expect(code).toBe(0);
});

test('fails a test of node:test that leaves a fault unfired', async () => {
  const { code, output } = await run(`test('one', () => mock().arm('timeout'));`, `test('two', () => {});`);
  expect(output).toMatch(/was armed and never triggered/);
  expect(output).toMatch(/pass 1\b/);
  expect(code).toBe(1);
});
