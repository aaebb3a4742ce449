import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { CHAT, withBalancedMock } from '../test-support/with-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';
import type { World, FaultChoices } from '../world/world.ts';

function worldThat(faults: Partial<FaultChoices>): World {
  const { choices } = builtInWorld;
  return { ...builtInWorld, choices: { ...choices, faults: { ...choices.faults, ...faults } } };
}

interface Request {
  readonly path?: string;
  readonly model?: string;
  readonly fault?: string;
  readonly key?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function ask(mock: Mock, request: Request): Promise<Answer> {
  const { path = '/chat/completions', model = 'compact-1', fault, key = mock.keys['primary'] } = request;
  const response = await fetch(`${mock.url}${path}`, {
    method: path === '/chat/completions' ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(fault !== undefined && { 'x-mock-fault': fault }),
    },
    ...(path === '/chat/completions' && { body: JSON.stringify({ ...CHAT, model }) }),
  });
  return { status: response.status, text: await response.text() };
}

function error({ text }: Answer): { code: string; message: string } {
  const body: { error: { code: string; message: string } } = JSON.parse(text);
  return body.error;
}

test('triggers only for the request whose header asks for it', async () => {
  await withBalancedMock({}, async (mock) => {
    const triggered = await ask(mock, { fault: 'gateway_failure phase=after-debit status=504 body=empty' });
    expect(triggered).toEqual({ status: 504, text: '' });
    expect(mock.ledger.entries()).toMatchObject([{ state: 'succeeded' }]);
    expect((await ask(mock, {})).status).toBe(200);
    expect((await ask(mock, { path: '/models', fault: 'gateway_failure status=503' })).status).toBe(503);
    expect((await ask(mock, { path: '/vision-capabilities', fault: 'rate_limit' })).status).toBe(429);
  });
});

test('comes before the plan, whose rules it leaves to other requests', async () => {
  await withBalancedMock({ faults: ['rate_limit times=1'] }, async (mock) => {
    expect((await ask(mock, { fault: 'token_limit' })).status).toBe(400);
    expect((await ask(mock, {})).status).toBe(429);
  });
});

test.each([
  ['nothing', '/x-mock-fault/fault: no such fault; the faults are unknown_model, token_limit'],
  ['timeout bytes=1', '/x-mock-fault/bytes: unknown field; timeout accepts fault, phase'],
  ['timeout times=1', '/x-mock-fault/times: only for a rule of a plan'],
  ['timeout key=primary', '/x-mock-fault/match: only for a rule of a plan'],
  ['timeout "', '/x-mock-fault: a fault and then NAME=VALUE are needed'],
])('refuses the header %j with the place', async (fault, message) => {
  await withBalancedMock({}, async (mock) => {
    const refused = await ask(mock, { fault });
    expect(refused.status).toBe(400);
    expect(error(refused).code).toBe('invalid_fault');
    expect(error(refused).message).toContain(`At ${message}`);
    expect(mock.ledger.entries()).toEqual([]);
  });
});

test('refuses a phase that the endpoint never reaches', async () => {
  await withBalancedMock({}, async (mock) => {
    const refused = await ask(mock, { path: '/models', fault: 'timeout phase=after-debit' });
    expect(error(refused).message).toContain(
      'possible are before-authentication, after-validation, before-headers',
    );
  });
});

test('shows no key that a header holds', async () => {
  await withBalancedMock({}, async (mock) => {
    const key = mock.keys['primary'] ?? '';
    for (const fault of [key, `timeout ${key}=1`, `timeout model="${key}`]) {
      const refused = await ask(mock, { fault });
      expect(refused.status).toBe(400);
      expect(refused.text).not.toContain(key);
    }
  });
});

test('pays no attention to the header where the world says so', async () => {
  await withBalancedMock({ world: worldThat({ header: 'ignore' }) }, async (mock) => {
    expect((await ask(mock, { fault: 'rate_limit' })).status).toBe(200);
    expect((await ask(mock, { fault: 'nonsense' })).status).toBe(200);
  });
});

test('takes a reserved model ID for any other that it does not know, by default', async () => {
  await withBalancedMock({}, async (mock) => {
    const refused = await ask(mock, { model: 'fault:rate_limit' });
    expect([refused.status, error(refused).code]).toEqual([404, 'unknown_model']);
  });
});

test('triggers for a request whose model ID asks for it, where the world allows it', async () => {
  await withBalancedMock({ world: worldThat({ models: 'allow' }) }, async (mock) => {
    expect((await ask(mock, { model: 'fault:service_unavailable' })).status).toBe(503);
    expect(await ask(mock, { model: 'fault:gateway_failure body=empty' })).toEqual({ status: 502, text: '' });
    expect(mock.ledger.entries()).toMatchObject([{ state: 'under_review' }]);
    const late = await ask(mock, { model: 'fault:timeout ms=1' });
    expect(late.status).toBe(200);
    expect(JSON.parse(late.text)).toMatchObject({ model: 'fault:timeout ms=1' });
    expect((await ask(mock, {})).status).toBe(200);
  });
});

test.each([
  ['fault:', 'At /model/fault: expected a fault'],
  ['fault:rate_limit phase=before-authentication', 'At /model/phase: impossible for rate_limit here'],
])('refuses the model ID %j with the place', async (model, message) => {
  await withBalancedMock({ world: worldThat({ models: 'allow' }) }, async (mock) => {
    const refused = await ask(mock, { model });
    expect(error(refused).code).toBe('invalid_fault');
    expect(error(refused).message).toContain(message);
  });
});
