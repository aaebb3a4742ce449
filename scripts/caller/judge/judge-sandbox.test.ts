import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { JUDGE_OPERATION, judgeBeforeDropping } from './judge-sandbox.ts';

interface Report {
  readonly outcome: string;
  readonly warnings: readonly string[];
  readonly cutShort: readonly string[];
  readonly spent: Readonly<Record<string, number>>;
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

async function start(): Promise<{ url: string; control: string; key: string }> {
  const mock = await startMock({
    control: true,
    witnessed: true,
    operations: [JUDGE_OPERATION],
    dropping: judgeBeforeDropping,
  });
  onTestFinished(() => mock.close());
  return { url: mock.url, control: mock.control ?? '', key: mock.keys['primary'] ?? '' };
}

async function judged(url: string): Promise<Report> {
  return JSON.parse(await (await fetch(url)).text());
}

test('returns the verdicts so far, and other ones later', async () => {
  const { url, control, key } = await start();
  const ask = (): Promise<Response> =>
    fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}]}',
    });
  const before = await judged(`${control}/judge`);
  expect([before.outcome, before.cutShort]).toEqual(['incomplete', ['the caller sent no request']]);
  await ask();
  const { outcome, clauses } = await judged(`${control}/judge`);
  expect(outcome).toBe('violations');
  expect(clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['IDEM-1']);
});

test('returns the verdicts of each sandbox separately, and describes itself', async () => {
  const { control } = await start();
  await fetch(`${control}/sandboxes`, { method: 'POST', body: '{"id":"a"}' });
  expect((await judged(`${control}/sandboxes/a/judge?timeoutMs=500`)).outcome).toBe('incomplete');
  expect(await (await fetch(`${control}/openapi.json`)).text()).toContain('judgeCaller');
  expect((await fetch(`${control}/judge?timeoutMs=soon`)).status).toBe(400);
});

test('shows no key', async () => {
  const { url, control, key } = await start();
  await fetch(`${url}/models?key=${key}`, { headers: { authorization: `Bearer ${key}` } });
  await fetch(`${url}/chat/completions?key=${key}`, { method: 'POST', body: key, headers: { 'x-key': key } });
  expect(await (await fetch(`${control}/judge`)).text()).not.toContain(key);
});

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"Hello"}],"max_tokens":4}';

async function askAll(url: string, key: string, keys: readonly string[], body = CHAT): Promise<void> {
  const ask = async (idempotencyKey: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const own = idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey };
    const asked = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { ...headers, ...own },
      body,
    });
    await asked.text();
  };
  for (let from = 0; from < keys.length; from += 50) await Promise.all(keys.slice(from, from + 50).map(ask));
}

const KEYS = Array.from({ length: 1200 }, (_, i) => `key-${i}`);

test('remembers a violation after thousands of requests without one, and says how many it dropped', async () => {
  const { url, control, key } = await start();
  await askAll(url, key, ['', ...KEYS]);
  const { outcome, clauses, warnings, spent } = await judged(`${control}/judge`);
  expect(outcome).toBe('violations');
  expect(clauses.find(({ id }) => id === 'IDEM-1')?.verdict).toBe('fail');
  expect(warnings).toEqual([expect.stringContaining('the first 500 requests are no longer held')]);
  expect(spent).toEqual({ requests: 1201, completions: 1201, outputTokens: 4 * 1201, uncertain: 0 });
}, 60_000);

test('remembers that something was served, though nothing that is held was', async () => {
  const { url, control, key } = await start();
  await askAll(url, key, KEYS.slice(0, 500));
  const refused = CHAT.replace('"user"', '"nobody"');
  await askAll(url, key, KEYS.slice(500), refused);
  const { outcome, cutShort } = await judged(`${control}/judge`);
  expect({ outcome, cutShort }).toEqual({ outcome: 'conformant', cutShort: [] });
}, 60_000);
