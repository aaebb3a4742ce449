import { expect, onTestFinished, test } from 'vitest';
import type { Deployment } from '../model/deployment.ts';
import { addressOf } from '../model/network.ts';
import { openTransport } from '../sending/transport.ts';
import { portOf, serve } from '../test-support/service.ts';
import { redactorOf } from '../text/redact.ts';
import { ControlError } from './control-connection.ts';
import { disarmed, openDeployment } from './open-deployment.ts';

const TOKEN = 'secret-token';

function deploymentAt(url: string, token?: string, shown: string[] = []): Deployment {
  const { value: hide } = redactorOf({ keys: { primary: 'a-key-for-tests' }, headers: {} }, token);
  const control = { url, ...(token !== undefined && { token }) };
  const deployment = openDeployment(control, openTransport(addressOf(url), 5000), hide, (key) =>
    shown.push(key),
  );
  onTestFinished(() => deployment.close());
  return deployment;
}

/** A deployment that gives the same answer to everything; `asked` holds the requests. */
async function deploymentThat(status: number, body: unknown = '', token?: string) {
  const asked: unknown[][] = [];
  const { server } = await serve(({ request, body: sent }, response) => {
    const json: unknown = sent === '' ? undefined : JSON.parse(sent);
    asked.push([`${request.method} ${request.url}`, request.headers.authorization, json]);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const url = `http://127.0.0.1:${portOf(server)}/staging/control`;
  const shown: string[] = [];
  return { deployment: deploymentAt(url, token, shown), asked, shown };
}

async function failureOf(act: (deployment: Deployment) => Promise<unknown>, deployment: Deployment) {
  const thrown: unknown = await act(deployment).catch((error: unknown) => error);
  if (thrown instanceof ControlError) return thrown;
  throw new Error(`no ControlError, but ${JSON.stringify(thrown)}`);
}

test('arms one rule for one completion request, in place of all others, and disarms', async () => {
  const { deployment, asked } = await deploymentThat(200, '', TOKEN);
  await deployment.arm({ fault: 'timeout', phase: 'during-generation' });
  // Nothing is armed any more the second time.
  await deployment.disarm();
  await deployment.disarm();
  const rule = { fault: 'timeout', phase: 'during-generation', match: { endpoint: 'chat' } };
  expect(asked).toEqual([
    ['PUT /staging/control/faults', `Bearer ${TOKEN}`, [{ ...rule, times: 1, ttl: 60_000 }]],
    ['DELETE /staging/control/faults', `Bearer ${TOKEN}`, undefined],
  ]);
});

const RECORD = { requestId: 'r', state: 'succeeded', reservation: null, debit: 3 };
const USAGE = { usage: { input: 1, output: 2 }, finishReason: 'stop' };
const FULL = { ...RECORD, ...USAGE, reservation: { credits: 9, state: 'consumed' } };
const BALANCE = { available: 5, held: 2 };

const READS = {
  faults: (deployment: Deployment) => deployment.triggerCount(),
  'requests?idempotencyKey=a%20key': (deployment: Deployment) => deployment.requests('a key'),
  workspace: (deployment: Deployment) => deployment.balance(),
};
const REQUESTS = 'requests?idempotencyKey=a%20key';

test.each<[keyof typeof READS, unknown, unknown]>([
  ['faults', { rules: [{ fired: 2 }, { fired: 1 }], more: true }, 3],
  [REQUESTS, { requests: [RECORD, { ...FULL, other: 1 }] }, [RECORD, FULL]],
  [REQUESTS, { requests: [{ ...RECORD, usage: null, finishReason: '' }] }, [RECORD]],
  ['workspace', { keys: { other: {}, primary: { ...BALANCE, granted: 9 } } }, BALANCE],
  ['workspace', { keys: { mine: BALANCE } }, BALANCE],
])('%s: reads %j without a token', async (path, body, expected) => {
  const { deployment, asked } = await deploymentThat(200, body);
  expect(await READS[path](deployment)).toEqual(expected);
  expect(asked).toEqual([[`GET /staging/control/${path}`, undefined, undefined]]);
});

test.each<[keyof typeof READS, unknown]>([
  ['faults', '<html>'],
  ['faults', { rules: [{ fired: '1' }] }],
  [REQUESTS, ''],
  [REQUESTS, { requests: [{ ...RECORD, debit: '3' }] }],
  [REQUESTS, { requests: [{ ...RECORD, reservation: { credits: 1 } }] }],
  ['workspace', { keys: { a: BALANCE, b: BALANCE } }],
  ['workspace', { keys: { primary: { available: 1.5, held: 0 } } }],
])('%s: fails without a word about the target given %j', async (path, body) => {
  const { deployment } = await deploymentThat(200, body);
  expect((await failureOf(READS[path], deployment)).ruling).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('below the control URL does not follow the control protocol'),
  });
});

test.each([
  [true, [RECORD]],
  [false, []],
  [false, [RECORD, { ...RECORD, state: 'running' }]],
])('tells that the end is shown: %j, given %j', async (isShown, requests) => {
  const { deployment, shown } = await deploymentThat(200, { requests });
  await deployment.requests('k');
  expect(shown).toEqual(isShown ? ['k'] : []);
});

test('asks for a request to be ended as failed, and accepts that this is not offered', async () => {
  const { deployment, asked } = await deploymentThat(404);
  await deployment.release('r/1');
  const line = 'POST /staging/control/requests/r%2F1/resolution';
  expect(asked).toEqual([[line, undefined, { outcome: 'failed' }]]);
});

test.each([
  [404, 'not-exercised', false],
  [400, 'not-exercised', false],
  [409, 'inconclusive', false],
  [401, 'inconclusive', false],
  [500, 'inconclusive', true],
])('given status %d a rule is %s, and may be armed: %j', async (status, kind, isArmed) => {
  const { deployment } = await deploymentThat(status, { error: { message: `No: ${TOKEN}.` } }, TOKEN);
  const { ruling, message } = await failureOf((each) => each.arm({ fault: 'rate_limit' }), deployment);
  expect(ruling.kind).toBe(kind);
  expect(message).toContain(`PUT of /faults below the control URL was refused with status ${status}: No: [`);
  expect(message).not.toContain(TOKEN);
  const left = await disarmed(deployment);
  expect(left?.startsWith('a fault may still be armed: DELETE of /faults') ?? false).toBe(isArmed);
});

test('has armed nothing given a refused connection', async () => {
  const deployment = deploymentAt('http://127.0.0.1:1/control');
  const failure = await failureOf((each) => each.arm({ fault: 'rate_limit' }), deployment);
  expect(failure.message).toBe('/faults below the control URL did not answer: connection refused');
  expect(await disarmed(deployment)).toBeUndefined();
});
