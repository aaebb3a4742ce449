import { expect, test } from 'vitest';
import { runNodeTest } from '../support/node-test-run.ts';

const HELPER = new URL('../../caller/judge/use-mock-node-test.ts', import.meta.url).href;

test('judges the client in tests of node:test', async () => {
  const program = `
    import test from 'node:test';
    import { assertFaithful, useMock } from ${JSON.stringify(HELPER)};
    const mock = useMock();
    const headers = () => ({ authorization: 'Bearer ' + process.env.CHAT_API_KEY });
    const ask = async (more) => {
      const { data } = await (await fetch(process.env.CHAT_BASE_URL + '/models', { headers: headers() })).json();
      const body = JSON.stringify({ model: data[0].id, messages: [{ role: 'user', content: 'Hello' }] });
      const all = { ...headers(), ...more, 'content-type': 'application/json' };
      await fetch(process.env.CHAT_BASE_URL + '/chat/completions', { method: 'POST', headers: all, body });
    };
    test('one', async () => {
      await ask({ 'idempotency-key': crypto.randomUUID() });
      assertFaithful(await mock().judge());
    });
    test('two', async () => {
      await ask({});
      assertFaithful(await mock().judge());
    });`;
  const { code, output } = await runNodeTest(program);
  expect(output).toMatch(/pass 1\b/);
  expect(output).toMatch(/not faithful[^]*fresh-key-per-request/);
  expect(code).toBe(1);
});
