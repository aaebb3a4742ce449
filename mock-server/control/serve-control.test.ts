import { expect, test } from 'vitest';
import { startMock } from '../start-mock.ts';
import { COST, type Place } from '../test-support/open-mock.ts';
import { openControlled } from './test-support/controlled-mock.ts';

test('makes a sandbox with its own base URL and keys', async () => {
  const { mock, control, chat, makeSandbox } = await openControlled();
  const sandbox = await makeSandbox();
  expect(sandbox.url).toBe(`${mock.origin}/sandboxes/s1/v1`);
  expect((await chat(sandbox)).status).toBe(200);
  expect((await chat({ ...sandbox, keys: mock.keys })).status).toBe(401);
  expect((await chat({ ...mock, keys: sandbox.keys })).status).toBe(401);
  expect((await control('GET', '/sandboxes')).body).toEqual({ sandboxes: [sandbox] });
  expect((await control('GET', '/sandboxes/s1')).body).toEqual(sandbox);
  expect((await control('DELETE', '/sandboxes/s1')).status).toBe(204);
  expect((await chat(sandbox)).status).toBe(404);
  expect((await control('GET', '/sandboxes/s1')).status).toBe(404);
  expect((await control('DELETE', '/sandboxes/s1')).status).toBe(404);
});

test('makes a sandbox with the ID, seed, world and faults that are asked for', async () => {
  const { control, chat, makeSandbox } = await openControlled();
  const keys = [{ name: 'primary', key: 'k-1', workspace: 'main', scopes: ['inference'] }];
  const world = { keys, clock: '2027-01-01T00:00:00Z' };
  const asked = { id: 'mine', seed: 9, world, faults: [{ fault: 'service_unavailable', times: 1 }] };
  const sandbox = await makeSandbox(asked);
  const clock = { kind: 'frozen', now: '2027-01-01T00:00:00.000Z' };
  expect(sandbox).toMatchObject({ id: 'mine', seed: 9, keys: { primary: 'k-1' }, clock });
  expect((await chat(sandbox)).status).toBe(503);
  expect((await chat(sandbox)).status).toBe(200);
  const taken = { error: { code: 'sandbox_exists' } };
  expect((await control('POST', '/sandboxes', asked)).body).toMatchObject(taken);
});

const STRANGE = { match: { key: 'nobody' } };
const FILED = { file: '/etc/hostname' };

test.each([
  ['POST', '/sandboxes', { ids: 'a' }, 'unknown_field', '/ids'],
  ['POST', '/sandboxes', '{"__proto__":1}', 'unknown_field', '/__proto__'],
  ['POST', '/sandboxes', { id: 'A' }, 'invalid_value', '/id'],
  ['POST', '/sandboxes', [], 'invalid_value', ''],
  ['POST', '/sandboxes', { world: { workspaces: [] } }, 'invalid_value', '/world/workspaces'],
  ['POST', '/sandboxes', { faults: [{ fault: 'time_out' }] }, 'invalid_fault', '/faults/0/fault'],
  ['POST', '/sandboxes', '{"id":', 'invalid_json', ''],
  ['POST', '/faults', Buffer.from('timeout contains=wörter', 'latin1'), 'invalid_json', ''],
  ['POST', '/faults', { fault: 'timeout', mss: 3 }, 'invalid_fault', '/mss'],
  ['PUT', '/faults', undefined, 'invalid_fault', '/fault'],
  ['POST', '/faults', 'timeout\ntimeout ms=1 ms=2', 'invalid_fault', '/1/ms'],
  ['POST', '/sandboxes', 'timeout', 'invalid_json', ''],
  ['DELETE', '/faults', { all: true }, 'unknown_field', '/all'],
  ['DELETE', '/faults?all=1', undefined, 'unknown_field', 'query/all'],
  ['GET', '/journal?status=200&status=500', undefined, 'invalid_value', 'query/status'],
  ['POST', '/clock', {}, 'invalid_value', ''],
  ['POST', '/clock', { advance: 1, real: true }, 'invalid_value', ''],
  ['POST', '/clock', { advance: -1 }, 'invalid_value', '/advance'],
  ['POST', '/clock', { advance: Number.MAX_SAFE_INTEGER }, 'invalid_value', '/advance'],
  ['GET', '/journal?until=10001&status=200', undefined, 'invalid_value', 'query/until'],
  ['POST', '/requests/x/resolution', { outcome: 'lost' }, 'invalid_value', '/outcome'],
  ['POST', '/requests/x/resolution', { outcome: 'failed' }, 'unknown_request', undefined],
  ['PATCH', '/world', { models: { 'compact-1': null, compact: null } }, 'invalid_value', '/models/compact'],
  ['POST', '/answers', [{ text: 'a' }, { txt: 'a' }], 'invalid_answer', '/1/txt'],
  ['POST', '/answers', { text: '' }, 'invalid_answer', '/text'],
  ['POST', '/answers', { file: '/etc/hostname' }, 'invalid_answer', '/file'],
  ['POST', '/sandboxes', { answers: [STRANGE] }, 'invalid_answer', '/answers/0/match/key'],
  ['POST', '/sandboxes', { world: { answers: [STRANGE] } }, 'invalid_value', '/world/answers/0/match/key'],
  ['POST', '/sandboxes', { world: { answers: [FILED] } }, 'unknown_field', '/world/answers/0/file'],
])('refuses %s %s with %j, and changes nothing', async (method, path, body, code, at) => {
  const { control } = await openControlled();
  const shown = (): Promise<unknown> =>
    Promise.all(['', '/faults', '/answers', '/sandboxes', '/world'].map((one) => control('GET', one)));
  const before = await shown();
  const { status, body: refusal } = await control(method, path, body);
  expect(refusal).toMatchObject({ error: { code, ...(at !== undefined && { at }) } });
  expect(status).toBe(code === 'unknown_request' ? 404 : 400);
  expect(await shown()).toEqual(before);
});

test('arms, counts, disarms and replaces faults', async () => {
  const { control, chat } = await openControlled();
  await control('POST', '/faults', { fault: 'service_unavailable', times: 1 });
  await control('POST', '/faults', [{ fault: 'rate_limit', times: 1 }, { fault: 'unknown_model' }]);
  expect((await chat()).status).toBe(503);
  expect((await chat()).status).toBe(429);
  const { body } = await control('GET', '/faults');
  expect(body).toMatchObject({
    rules: [
      { id: 'rule_1', fired: 1, over: true },
      { id: 'rule_2', fired: 1, over: true },
      { id: 'rule_3', fired: 0, over: false },
    ],
  });
  expect((await control('DELETE', '/faults/rule_3')).status).toBe(204);
  expect((await control('DELETE', '/faults/rule_3')).status).toBe(404);
  expect((await chat()).status).toBe(200);
  expect((await control('PUT', '/faults', { fault: 'unknown_model' })).body).toMatchObject({
    rules: [{ id: 'rule_4', fired: 0 }],
  });
  expect((await chat()).status).toBe(404);
  expect((await control('DELETE', '/faults')).status).toBe(204);
  expect((await chat()).status).toBe(200);
});

test('shows the money of a request that is under review, and lets the workspace resolve it', async () => {
  const { mock, control, chat } = await openControlled();
  await control('POST', '/faults', { fault: 'gateway_failure', phase: 'after-reservation', times: 2 });
  await chat(mock, 'first');
  await chat(mock, 'second');
  const { body: first } = await control('GET', '/requests/first');
  expect(first).toMatchObject({
    idempotencyKey: 'first',
    state: 'under_review',
    reservation: { credits: 22, state: 'under_review' },
    debit: null,
  });
  expect((await control('GET', `/requests/${String(first['requestId'])}`)).body).toEqual(first);
  const listed = (await control('GET', '/requests?state=under_review')).body['requests'];
  expect(listed).toHaveLength(2);
  const held = (await control('GET', '/workspace')).body;
  expect(held).toMatchObject({ keys: { primary: { held: 44, debited: 0 } }, invariants: [] });
  const resolved = (name: string, outcome: string) =>
    control('POST', `/requests/${name}/resolution`, { outcome });
  const released = { state: 'failed', reservation: { state: 'released' }, debit: null };
  expect((await resolved('first', 'failed')).body).toMatchObject(released);
  const consumed = { state: 'succeeded', reservation: { state: 'consumed' }, debit: expect.any(Number) };
  expect((await resolved('second', 'completed')).body).toMatchObject(consumed);
  expect((await resolved('first', 'failed')).status).toBe(409);
  const free = { keys: { primary: { held: 0 } }, invariants: [] };
  expect((await control('GET', '/workspace')).body).toMatchObject(free);
});

test('knows a request for which nothing was reserved', async () => {
  const { mock, control } = await openControlled();
  const requestId = (await fetch(`${mock.url}/models`)).headers.get('x-request-id');
  const unreserved = { state: 'unreserved', debit: null };
  expect((await control('GET', `/requests/${requestId}`)).body).toMatchObject(unreserved);
  expect((await control('GET', '/requests/none')).status).toBe(404);
});

test('keeps a journal of each request: its phases, its fault, its bytes and its money', async () => {
  const { mock, control, chat } = await openControlled();
  await control('POST', '/faults', { fault: 'gateway_failure', phase: 'after-debit', times: 1 });
  await chat(mock, 'i');
  await fetch(`${mock.url}/models?key=${mock.keys['primary']}`);
  const { body } = await control('GET', '/journal?ended=answered&until=2');
  expect(body).toMatchObject({ came: 2, met: true });
  expect(body['entries']).toMatchObject([
    {
      n: 1,
      idempotencyKey: 'i',
      endpoint: 'chat',
      key: 'primary',
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'compact-1',
      stream: false,
      ms: expect.any(Number),
      phases: expect.arrayContaining(['before-authentication', 'after-debit']),
      fault: { rule: 'rule_1', fault: 'gateway_failure', phase: 'after-debit' },
      status: 502,
      ledger: [{ state: 'running' }, { state: 'succeeded' }],
      ended: 'answered',
    },
    { n: 2, endpoint: 'models', path: '/v1/models', fault: null, status: 401, ledger: [] },
  ]);
  expect((await control('GET', '/journal?status=502')).body['entries']).toHaveLength(1);
  for (const key of Object.values(mock.keys)) expect(JSON.stringify(body)).not.toContain(key);
});

test('sends a request of the journal again as it came, or with a new Idempotency-Key', async () => {
  const { mock, control, chat, makeSandbox } = await openControlled();
  const sandbox = await makeSandbox();
  await chat(sandbox, 'i');
  await fetch(`${mock.url}/models?x=1`, { headers: { 'x-note': 'a' } });
  await control('POST', '/sandboxes/s1/journal/1/send');
  await control('POST', '/sandboxes/s1/journal/1/send', { idempotencyKey: 'j' });
  await control('POST', '/journal/1/send');
  const { body } = await control('GET', '/sandboxes/s1/journal?until=3&ended=answered');
  expect(body['entries']).toMatchObject([
    { idempotencyKey: 'i', ledger: [{}, {}] },
    { idempotencyKey: 'i', status: 200, ledger: [] },
    { idempotencyKey: 'j', status: 200, ledger: [{}, {}], prompt: 'Hello' },
  ]);
  await control('GET', '/journal?until=2');
  const [first, again] = mock.sandboxes.root.journal?.records() ?? [];
  const [other, further] = mock.sandboxes.get('s1')?.journal?.records() ?? [];
  expect(again?.arrival).toMatchObject({ url: '/v1/models?x=1' });
  expect(again?.arrival?.rawHeaders).toEqual(expect.arrayContaining(['x-note', 'a']));
  expect(further?.arrival?.body).toEqual(other?.arrival?.body);
  expect(first?.arrival?.method).toBe('GET');
  expect((await control('POST', '/journal/9/send')).status).toBe(404);
  if (first?.arrival) mock.sandboxes.root.journal?.begin({ ...first.arrival, isRequest: false });
  expect((await control('POST', '/journal/3/send')).status).toBe(409);
});

test('ends what is asked of a journal once its sandbox is reset, and when the mock closes', async () => {
  const { mock, control, makeSandbox } = await openControlled();
  await makeSandbox();
  const asked = control('GET', '/sandboxes/s1/journal?until=1&timeout=60000');
  await control('GET', '');
  await control('POST', '/sandboxes/s1/reset');
  expect((await asked).body).toMatchObject({ met: false });
  const last = control('GET', '/journal?until=1&timeout=60000');
  await control('GET', '');
  await mock.close();
  expect((await last).body).toMatchObject({ met: false });
});

test('moves the clock of one world, and what is written with a time follows', async () => {
  const { mock, control, chat, makeSandbox } = await openControlled();
  const sandbox = await makeSandbox();
  const created = async (world: Place): Promise<unknown> => {
    const answer = await chat(world, 'i');
    const { created: at }: { created: unknown } = JSON.parse(await answer.text());
    return [at, answer.headers.get('date'), answer.headers.get('idempotency-replayed')];
  };
  const before = await created(sandbox);
  expect(await created(sandbox)).toEqual([1767225600, 'Thu, 01 Jan 2026 00:00:00 GMT', 'true']);
  await control('POST', '/sandboxes/s1/clock', { advance: 86_401_000 });
  expect(await created(sandbox)).toEqual([1767312001, 'Fri, 02 Jan 2026 00:00:01 GMT', null]);
  expect(await created(mock)).toEqual(before);
  expect((await control('POST', '/clock', { real: true })).body['kind']).toBe('real');
  expect((await control('POST', '/clock', { freeze: '2026-06-01T02:00:00+02:00' })).body).toEqual({
    kind: 'frozen',
    now: '2026-06-01T00:00:00.000Z',
  });
  expect((await control('POST', '/clock', { freeze: true })).body['now']).toBe('2026-06-01T00:00:00.000Z');
  expect((await control('GET', '')).body['clock']).toMatchObject({ kind: 'frozen' });
});

test('changes parts of a world: a balance, a key, a model', async () => {
  const { mock, control, chat, makeSandbox } = await openControlled();
  const statusAfter = async (part: object): Promise<number> => {
    expect((await control('PATCH', '/world', part)).status).toBe(200);
    return (await chat()).status;
  };
  const secret = mock.keys['primary'];
  expect(await statusAfter({ workspaces: { main: { credits: COST } } })).toBe(200);
  expect((await chat()).status).toBe(402);
  // The same number is a balance again.
  expect(await statusAfter({ workspaces: { main: { credits: COST } } })).toBe(200);
  expect(await statusAfter({ models: { 'compact-1': { price: { input: 0, output: 0 } } } })).toBe(200);
  expect(await statusAfter({ models: { 'compact-1': null } })).toBe(404);
  expect(await statusAfter({ keys: { primary: null } })).toBe(401);
  const { body } = await control('GET', '/world');
  expect(body).toMatchObject({ workspaces: [{ id: 'main', credits: COST }, { id: 'second' }] });
  // What was sent with a key that is gone is shown without it.
  expect(JSON.stringify((await control('GET', '/journal/1')).body)).not.toContain(secret);
  // A new sandbox begins as the mock's own world is now; a reset undoes every change.
  expect(Object.keys((await makeSandbox()).keys)).toEqual(['second', 'unscoped']);
  await control('POST', '/reset');
  expect((await chat()).status).toBe(200);
});

test('puts a sandbox, or everything, back to its beginning', async () => {
  const faults = ['insufficient_credits times=1'];
  const { mock, control, chat, makeSandbox } = await openControlled({ faults });
  const sandbox = await makeSandbox({ faults: [{ fault: 'rate_limit', times: 1 }] });
  const first = await (await chat(sandbox)).text();
  await control('POST', '/sandboxes/s1/faults', { fault: 'service_unavailable' });
  await control('POST', '/sandboxes/s1/clock', { advance: 5 });
  expect((await control('POST', '/sandboxes/s1/reset')).status).toBe(204);
  expect((await control('GET', '/sandboxes/s1')).body).toEqual(sandbox);
  expect(await (await chat(sandbox)).text()).toBe(first);
  expect((await chat()).status).toBe(402);
  await control('POST', '/reset');
  expect((await control('GET', '/sandboxes')).body).toEqual({ sandboxes: [] });
  expect((await chat()).status).toBe(402);
  expect((await control('GET', '/journal')).body).toMatchObject({ came: 1 });
  expect(mock.workspace.entries()).toEqual([]);
});

test('describes itself in an OpenAPI document', async () => {
  const { control } = await openControlled();
  const { body } = await control('GET', '/openapi.json');
  const inPath = ['sandbox', 'request'].map((name) => ({ name, in: 'path' }));
  const schema = { type: 'integer', minimum: expect.any(Number), maximum: 599 };
  const inQuery = expect.arrayContaining([{ name: 'status', in: 'query', schema }]);
  expect(body).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/control/sandboxes/{sandbox}/requests/{request}/resolution': { post: { parameters: inPath } },
      '/control/journal': { get: { parameters: inQuery } },
    },
  });
  expect(JSON.stringify(body)).toContain('stream_cut');
});

test('serves no control API unless it is asked to, and none that anyone could reach', async () => {
  const mock = await startMock();
  expect(mock.control).toBeUndefined();
  expect((await fetch(`${mock.origin}/control`)).status).toBe(404);
  await mock.close();
  await expect(startMock({ control: true, host: '0.0.0.0' })).rejects.toThrow('needs a token');
});
