import { expect, onTestFinished, test } from 'vitest';
import type { Deployment } from '../model/deployment.ts';
import { addressOf } from '../model/network.ts';
import { openTransport } from '../sending/transport.ts';
import { portOf, serve } from '../test-support/service.ts';
import { ControlError } from './control-connection.ts';
import { disarmIfArmed, openDeployment } from './open-deployment.ts';

interface Asked {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const TOKEN = 'secret-token';

/** A deployment that gives the same answer to everything; `asked` holds the requests. */
async function deploymentThat(status: number, body: unknown = '', token?: string) {
  const asked: Asked[] = [];
  const { server } = await serve(({ request, body: sent }, response) => {
    const { authorization } = request.headers;
    const line = `${request.method} ${request.url}`;
    asked.push({ line, authorization, body: sent === '' ? undefined : JSON.parse(sent) });
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${portOf(server)}/staging/control`;
  const deployment = openDeployment(
    { url, ...(token !== undefined && { token }) },
    openTransport(addressOf(url), 5000),
    (text) => text.replaceAll(TOKEN, '[token]'),
  );
  onTestFinished(() => deployment.close());
  return { deployment, asked };
}

async function failureOf(act: (deployment: Deployment) => Promise<unknown>, deployment: Deployment) {
  const thrown: unknown = await act(deployment).catch((error: unknown) => error);
  if (thrown instanceof ControlError) return thrown;
  throw new Error(`no ControlError, but ${JSON.stringify(thrown)}`);
}

test('arms one rule for one completion request, in place of all others, and disarms', async () => {
  const { deployment, asked } = await deploymentThat(200, '', TOKEN);
  await deployment.arm({ fault: 'timeout', phase: 'during-generation' });
  expect(deployment.isArmed()).toBe(true);
  await deployment.disarm();
  expect(deployment.isArmed()).toBe(false);
  const rule = { fault: 'timeout', phase: 'during-generation', match: { endpoint: 'chat' } };
  const authorization = `Bearer ${TOKEN}`;
  expect(asked).toEqual([
    { line: 'PUT /staging/control/faults', authorization, body: [{ ...rule, times: 1, ttl: 60_000 }] },
    { line: 'DELETE /staging/control/faults', authorization, body: undefined },
  ]);
});

test('sends no Authorization without a token', async () => {
  const { deployment, asked } = await deploymentThat(200, { rules: [] });
  await deployment.triggerCount();
  expect(asked[0]?.authorization).toBeUndefined();
});

test('counts how often the armed faults have triggered', async () => {
  const { deployment } = await deploymentThat(200, { rules: [{ fired: 2 }, { fired: 1 }], more: true });
  expect(await deployment.triggerCount()).toBe(3);
});

const RECORD = { requestId: 'r', state: 'succeeded', reservation: null, debit: 3 };

test('reads every request with an Idempotency-Key, and remembers which have ended', async () => {
  const usage = { input: 1, output: 2 };
  const full = { ...RECORD, reservation: { credits: 9, state: 'consumed' }, usage, finishReason: 'stop' };
  const { deployment, asked } = await deploymentThat(200, { requests: [RECORD, { ...full, other: 1 }] });
  expect(await deployment.requests('a key')).toEqual([RECORD, full]);
  expect(asked[0]?.line).toBe('GET /staging/control/requests?idempotencyKey=a%20key');
  expect([deployment.hasShown('a key'), deployment.hasShown('other')]).toEqual([true, false]);
});

test.each([[[]], [[{ ...RECORD, state: 'running' }]]])('has not shown the end given %j', async (requests) => {
  const { deployment } = await deploymentThat(200, { requests });
  await deployment.requests('k');
  expect(deployment.hasShown('k')).toBe(false);
});

test('reads the credits of the primary key, or of the only one', async () => {
  const balance = { available: 5, held: 2 };
  for (const keys of [{ other: {}, primary: { ...balance, granted: 9 } }, { mine: balance }]) {
    const { deployment } = await deploymentThat(200, { keys });
    expect(await deployment.balance()).toEqual(balance);
  }
});

test('asks for a request to be ended as failed, and accepts that this is not offered', async () => {
  const { deployment, asked } = await deploymentThat(404);
  await deployment.release('r/1');
  expect(asked).toMatchObject([
    { line: 'POST /staging/control/requests/r%2F1/resolution', body: { outcome: 'failed' } },
  ]);
});

const OPERATIONS = {
  fired: (deployment: Deployment) => deployment.triggerCount(),
  requests: (deployment: Deployment) => deployment.requests('k'),
  balance: (deployment: Deployment) => deployment.balance(),
};

test.each<[keyof typeof OPERATIONS, unknown]>([
  ['fired', '<html>'],
  ['fired', { rules: [{ fired: '1' }] }],
  ['fired', { rules: {} }],
  ['requests', ''],
  ['requests', { requests: [{ ...RECORD, debit: '3' }] }],
  ['requests', { requests: [{ ...RECORD, state: 'done' }] }],
  ['requests', { requests: [{ ...RECORD, reservation: { credits: 1 } }] }],
  ['requests', { requests: [null] }],
  ['balance', { keys: { a: { available: 1, held: 0 }, b: { available: 1, held: 0 } } }],
  ['balance', { keys: { primary: { available: 1.5, held: 0 } } }],
])('%s: fails without a word about the target given %j', async (operation, body) => {
  const { deployment } = await deploymentThat(200, body);
  const failure = await failureOf(OPERATIONS[operation], deployment);
  expect(failure.ruling).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('below the control URL does not follow the control protocol'),
  });
});

test.each([
  [404, 'not-exercised', false],
  [400, 'not-exercised', false],
  [409, 'inconclusive', false],
  [401, 'inconclusive', false],
  [500, 'inconclusive', true],
])('given status %d a rule is %s, and may be armed: %j', async (status, kind, isArmed) => {
  const { deployment } = await deploymentThat(status, { error: { message: `No: ${TOKEN}.` } }, TOKEN);
  const failure = await failureOf((each) => each.arm({ fault: 'rate_limit' }), deployment);
  expect(failure.ruling.kind).toBe(kind);
  expect(failure.message).toContain(
    `PUT of /faults below the control URL was refused with status ${status}: No: [token].`,
  );
  expect(deployment.isArmed()).toBe(isArmed);
});

test('has armed nothing given a refused connection', async () => {
  const url = 'http://127.0.0.1:1/control';
  const transport = openTransport(addressOf(url), 5000);
  const deployment = openDeployment({ url }, transport, (text) => text);
  onTestFinished(() => deployment.close());
  const failure = await failureOf((each) => each.arm({ fault: 'rate_limit' }), deployment);
  expect(failure.message).toBe('/faults below the control URL did not answer: connection refused');
  expect(deployment.isArmed()).toBe(false);
});

test('says that a fault may still be armed where it cannot be disarmed', async () => {
  const { deployment } = await deploymentThat(500);
  expect(await disarmIfArmed(deployment)).toBeUndefined();
  await deployment.arm({ fault: 'rate_limit' }).catch(() => {});
  expect(await disarmIfArmed(deployment)).toMatch(/^a fault may still be armed: DELETE of \/faults/);
});
