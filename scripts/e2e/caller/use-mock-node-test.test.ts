import { expect, test } from 'vitest';
import { runNodeTest } from '../support/node-test-run.ts';

const HELPER = new URL('../../caller/judge/use-mock-node-test.ts', import.meta.url).href;

async function run(...tests: readonly string[]): ReturnType<typeof runNodeTest> {
  const program = `
    import test from 'node:test';
    import { assertFaithful, useMock } from ${JSON.stringify(HELPER)};
    const mock = useMock();
    const early = process.env.OPENAI_BASE_URL;
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

test('serves clients made before the first test, and warns of a test that sends nothing', async () => {
  const { code, stderr } = await run(
    `test('one', async () => { assert(early === mock().url); await ask(); assert(mock().journal.came === 1); });`,
    `test('two', async () => { assert(early === mock().url); });`,
  );
  expect(stderr).toMatch(/no request of the test "two" came to the mock/);
  expect(stderr).not.toMatch(/of the test "one"/);
  expect(code).toBe(0);
});

test('ends with a process in which no test of node:test runs', async () => {
  const { code } = await run();
  expect(code).toBe(0);
});

test('fails a test of node:test that leaves a fault unfired', async () => {
  const { code, output } = await run(`test('one', () => mock().arm('timeout'));`, `test('two', () => {});`);
  expect(output).toMatch(/was armed and never triggered/);
  expect(output).toMatch(/pass 1\b/);
  expect(code).toBe(1);
});

test('judges the client in tests of node:test', async () => {
  const { code, output } = await run(
    `test('one', async () => { await ask(); assertFaithful(await mock().judge()); });`,
  );
  expect(output).toMatch(/nothing shows yet whether the caller is faithful[^]*it sent no chat completion/);
  expect(code).toBe(1);
});
