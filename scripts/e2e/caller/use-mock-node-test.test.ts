import { expect, test } from 'vitest';
import { runNodeTest } from '../support/node-test-run.ts';

const HELPER = new URL('../../caller/judge/use-mock-node-test.ts', import.meta.url).href;

async function run(...tests: readonly string[]): ReturnType<typeof runNodeTest> {
  const program = `
    import test from 'node:test';
    import { assertFaithful, assertSentOnce, useMock } from ${JSON.stringify(HELPER)};
    const mock = useMock();
    const early = process.env.OPENAI_BASE_URL;
    const ask = () => fetch(process.env.OPENAI_BASE_URL + '/models', {
      headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY },
    });
    const assert = (fact) => { if (!fact) throw new Error('not so'); };
    ${tests.join('\n')}`;
  return runNodeTest(program);
}

test('gives each test of node:test a sandbox, serves clients made before, and warns of a test that sends nothing', async () => {
  const { code, output, stderr } = await run(
    `test('one', async () => { mock().arm('rate_limit times=1'); assert((await ask()).status === 429); });`,
    `test('two', async () => { assert((await ask()).status === 200); assertSentOnce(mock(), { status: 200 }); });`,
    `test('three', async () => { assert(early === mock().url); });`,
    `test('four', async ({ mock: replace }) => {
      replace.timers.enable();
      mock().arm('latency ms=10 times=1 endpoint=models');
      await ask();
      assertSentOnce(mock(), { fault: 'latency' });
    });`,
  );
  expect(output).toMatch(/pass 4/);
  expect(stderr).toMatch(/no request of the test "three" came to the mock/);
  expect(stderr).not.toMatch(/of the test "(one|two)"/);
  expect(code).toBe(0);
});

test('ends with a process in which no test of node:test runs', async () => {
  const { code } = await run();
  expect(code).toBe(0);
});

test('fails a test of node:test that leaves a fault unfired, or whose client is not faithful', async () => {
  const { code, output } = await run(
    `test('one', () => mock().arm('timeout'));`,
    `test('two', () => {});`,
    `test('three', async () => { await ask(); assertFaithful(await mock().judge()); });`,
    `test('four', async () => { await ask(); assertSentOnce(mock(), { endpoint: 'chat' }); });`,
    `test('five', () => { mock().arm('stall'); assert(false); });`,
  );
  expect(output).not.toMatch(/stall.*was never used/);
  expect(output).toMatch(/nearest of 1:\s+#1 GET \/v1\/models 200: endpoint is "models", not "chat"/);
  expect(output).toMatch(/was never used/);
  expect(output).toMatch(/nothing shows yet whether the caller is faithful[^]*it sent no chat completion/);
  expect(output).toMatch(/pass 1\b/);
  expect(code).toBe(1);
});
