import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { CHAT, complete, errorOf, openMock } from '../test-support/open-mock.ts';
import { completeWorld } from '../world/check-world.ts';

const IGNORING = completeWorld({ choices: { faults: { header: 'ignore' } } });

const invalidFault = (message: string): object => {
  return { code: 'invalid_fault', message: expect.stringContaining(message) };
};

const withFault = (mock: Mock, fault: string): Promise<Response> =>
  complete(mock, CHAT, { 'x-mock-fault': fault });

const getWith = (mock: Mock, path: string, fault: string): Promise<Response> =>
  fetch(`${mock.url}/${path}`, {
    headers: { authorization: `Bearer ${mock.keys['primary']}`, 'x-mock-fault': fault },
  });

test('triggers only for the request whose header asks for it', async () => {
  const mock = await openMock();
  const triggered = await withFault(mock, 'gateway_failure phase=after-debit status=504 body=empty');
  expect([triggered.status, await triggered.text()]).toEqual([504, '']);
  expect(mock.workspace.entries()).toMatchObject([{ state: 'succeeded' }]);
  expect((await complete(mock)).status).toBe(200);
  expect((await getWith(mock, 'models', 'gateway_failure status=503')).status).toBe(503);
  expect((await getWith(mock, 'vision-capabilities', 'rate_limit')).status).toBe(429);
});

test('comes before the plan, whose rules it leaves to other requests', async () => {
  const mock = await openMock({ faults: ['rate_limit times=1'] });
  expect((await withFault(mock, 'token_limit')).status).toBe(400);
  expect((await complete(mock)).status).toBe(429);
});

test.each([
  ['nothing', '/x-mock-fault/fault: no such fault; the faults are unknown_model, token_limit'],
  ['timeout bytes=1', '/x-mock-fault/bytes: unknown field; allowed: fault, phase'],
  ['timeout times=1', '/x-mock-fault/times: only for a rule of a plan'],
  ['timeout key=primary', '/x-mock-fault/match: only for a rule of a plan'],
  ['timeout "', '/x-mock-fault: a fault and then NAME=VALUE is needed'],
])('refuses the header %j with the place', async (fault, message) => {
  const mock = await openMock();
  const refused = await withFault(mock, fault);
  expect(refused.status).toBe(400);
  expect(await errorOf(refused)).toMatchObject(invalidFault(`At ${message}`));
  expect(mock.workspace.entries()).toEqual([]);
});

test('refuses a phase that the endpoint never reaches', async () => {
  const refused = await getWith(await openMock(), 'models', 'timeout phase=after-debit');
  expect((await errorOf(refused)).message).toContain(
    'allowed: before-authentication, after-validation, before-headers',
  );
});

test('shows no key that a header holds', async () => {
  const mock = await openMock();
  const key = mock.keys['primary'] ?? '';
  for (const fault of [key, `timeout ${key}=1`, `timeout model="${key}`]) {
    const refused = await withFault(mock, fault);
    expect([refused.status, await refused.text()]).toEqual([400, expect.not.stringContaining(key)]);
  }
});

test('pays no attention to the header where the world says so', async () => {
  const mock = await openMock({ world: IGNORING });
  for (const fault of ['rate_limit', 'nonsense']) expect((await withFault(mock, fault)).status).toBe(200);
});
