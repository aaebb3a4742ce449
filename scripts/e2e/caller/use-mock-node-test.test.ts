import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { COMMAND, COMPILE_CACHE, type CommandResult, resultOf } from '../support/command.ts';

/** As it is installed: from its sources it takes many times as long to load. */
const HELPER = pathToFileURL(join(dirname(COMMAND), 'use-mock-node-test.js')).href;

/** Runs tests of node:test in a process of its own. */
function run(...tests: readonly string[]): Promise<CommandResult> {
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
  const env = { PATH: process.env['PATH'], ...COMPILE_CACHE };
  return resultOf(spawn(process.execPath, ['--input-type=module', '--eval', program], { env }));
}

test('gives each test of node:test a sandbox, serves clients made before, and warns of a test that sends nothing', async () => {
  const { code, stdout, stderr } = await run(
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
  expect(stdout).toMatch(/pass 4/);
  expect(stderr).toMatch(/no request of the test "three" came to the mock/);
  expect(stderr).not.toMatch(/of the test "(one|two)"/);
  expect(code).toBe(0);
});

test('ends with a process in which no test of node:test runs', async () => {
  const { code } = await run();
  expect(code).toBe(0);
});

test('fails a test of node:test that leaves a fault unfired, or whose client is not faithful', async () => {
  const { code, stdout } = await run(
    `test('one', () => mock().arm('timeout'));`,
    `test('two', () => {});`,
    `test('three', async () => { await ask(); assertFaithful(await mock().judge()); });`,
    `test('four', async () => { await ask(); assertSentOnce(mock(), { endpoint: 'chat' }); });`,
    `test('five', () => { mock().arm('stall'); assert(false); });`,
  );
  expect(stdout).not.toMatch(/stall.*was never used/);
  expect(stdout).toMatch(/nearest of 1:\s+#1 GET \/v1\/models 200: endpoint is "models", not "chat"/);
  expect(stdout).toMatch(/was never used/);
  expect(stdout).toMatch(/nothing shows yet whether the caller is faithful[^]*it sent no chat completion/);
  expect(stdout).toMatch(/pass 1\b/);
  expect(code).toBe(1);
});
