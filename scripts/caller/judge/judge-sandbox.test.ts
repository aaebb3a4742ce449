import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { JUDGE_OPERATION } from './judge-sandbox.ts';

interface Report {
  readonly outcome: string;
  readonly cutShort: readonly string[];
  readonly requestIds: readonly string[];
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

async function start() {
  const mock = await startMock({ control: true, witnessed: true, operations: [JUDGE_OPERATION] });
  onTestFinished(() => mock.close());
  const { url, control = '', keys, sandboxes } = mock;
  return { url, control, key: keys['primary'] ?? '', recorder: sandboxes.root.recorder };
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
  const requestId = (await ask()).headers.get('x-request-id');
  const { outcome, clauses, requestIds } = await judged(`${control}/judge`);
  expect([outcome, requestIds]).toEqual(['violations', [requestId]]);
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

test('calls no caller conformant of whose requests some are no longer held', async () => {
  const { url, control, key, recorder } = await start();
  await fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } });
  const [listed] = recorder?.requests ?? [];
  for (let kept = 1; kept < 1001; kept += 1) if (listed) recorder?.keep(listed, listed.arrival);
  const { outcome, cutShort } = await judged(`${control}/judge`);
  expect(outcome).toBe('incomplete');
  expect(cutShort).toContainEqual(expect.stringContaining('the first 500 requests are no longer kept'));
});
