import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import type { RequestRecorder } from './request-recorder.ts';

async function start(options: MockOptions = {}): Promise<{ mock: Mock; recorder: RequestRecorder }> {
  const mock = await startMock({ control: true, witnessed: true, ...options });
  onTestFinished(() => mock.close());
  const { recorder } = mock.sandboxes.root;
  if (recorder === undefined) throw new Error('no recorder');
  return { mock, recorder };
}

function ask({ url, keys }: Mock, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json', ...headers },
    body: '{"model":"compact-1","messages":[{"role":"user","content":"Grüße"}]}',
  });
}

test('sees the bytes, the headers and the answer of a request', async () => {
  const { mock, recorder } = await start();
  const answer = await (await ask(mock, { 'Idempotency-Key': 'k', 'X-Odd': 'one' })).text();
  const [sighting] = recorder.requests;
  expect(sighting?.arrival.body?.toString()).toContain('Grüße');
  expect(sighting?.arrival.rawHeaders).toContain('one');
  expect(Buffer.from(sighting?.answer ?? '', 'latin1').toString()).toBe(answer);
  expect(sighting?.entry).toMatchObject({ status: 200, idempotencyKey: 'k', ended: 'answered' });
});

test('sees when a caller leaves that gets no answer', async () => {
  const { mock, recorder } = await start({ faults: ['timeout endpoint=models'] });
  const socket = connect(mock.port, '127.0.0.1');
  socket.write(`GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${mock.keys['primary']}\r\n\r\n`);
  await mock.sandboxes.root.journal?.until(1, { ended: 'silent' }, { ms: 10_000 });
  expect(recorder.requests[0]?.goneAt).toBeNull();
  socket.destroy();
  await once(socket, 'close');
  await expect.poll(() => recorder.requests[0]?.goneAt).toEqual(expect.any(Number));
  expect(recorder.requests[0]?.entry.ended).toBe('silent');
});

test('sees who looks into the workspace, for what, and what there is to be seen', async () => {
  const { mock, recorder } = await start({ faults: ['gateway_failure phase=during-generation times=1'] });
  await ask(mock, { 'Idempotency-Key': 'k' });
  await fetch(`${mock.control}/requests?idempotencyKey=k`);
  await fetch(`${mock.control}/requests/unknown`);
  await fetch(`${mock.control}/workspace`);
  expect(recorder.workspaceReads.map(({ operation, about }) => [operation, about])).toEqual([
    ['listRequests', 'k'],
    ['readRequest', 'unknown'],
    ['readWorkspace', null],
  ]);
  expect(recorder.workspaceReads[0]?.entries).toMatchObject([{ idempotencyKey: 'k', state: 'under_review' }]);
});

test('outlives a reset, and there is one for each sandbox', async () => {
  const { mock, recorder } = await start();
  await ask(mock);
  mock.sandboxes.root.reset();
  await ask(mock);
  expect(recorder.requests).toHaveLength(2);
  expect(mock.sandboxes.create()?.recorder?.requests).toEqual([]);
});

test('is not there unless somebody asked for one', async () => {
  const mock = await startMock({ control: true });
  onTestFinished(() => mock.close());
  expect(mock.sandboxes.root.recorder).toBeUndefined();
});
