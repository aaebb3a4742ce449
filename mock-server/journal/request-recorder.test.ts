import { expect, test } from 'vitest';
import type { Host, HostOptions } from '../start-mock.ts';
import { CHAT, complete, openMock } from '../test-support/open-mock.ts';
import { dial, head } from '../test-support/wire.ts';
import type { RequestRecorder } from './memory-journal.ts';

async function start(options: HostOptions = {}): Promise<{ mock: Host; recorder: RequestRecorder }> {
  const mock = await openMock({ control: true, witnessed: true, ...options });
  const { recorder } = mock.sandboxes.root;
  if (recorder === undefined) throw new Error('no recorder');
  return { mock, recorder };
}

const GREETING = { ...CHAT, messages: [{ role: 'user', content: 'Grüße' }] };

test('sees the bytes, the headers and the answer of a request', async () => {
  const { mock, recorder } = await start();
  const answer = await (await complete(mock, GREETING, { 'Idempotency-Key': 'k', 'X-Odd': 'one' })).text();
  const [sighting] = recorder.requests;
  expect(sighting?.arrival.body?.toString()).toContain('Grüße');
  expect(sighting?.arrival.rawHeaders).toContain('one');
  expect(sighting?.answer?.body.toString()).toBe(answer);
  expect(sighting?.entry).toMatchObject({ status: 200, idempotencyKey: 'k', ended: 'answered' });
});

test('sees when a caller leaves that gets no answer', async () => {
  const { mock, recorder } = await start({ faults: ['timeout endpoint=models'] });
  const { socket } = dial(mock, head(mock, 'GET /v1/models'));
  await mock.sandboxes.root.journal?.until(1, { ended: 'silent' }, { ms: 10_000 });
  expect(recorder.requests[0]?.goneAt).toBeNull();
  socket.destroy();
  await expect.poll(() => recorder.requests[0]?.goneAt).toEqual(expect.any(Number));
  expect(recorder.requests[0]?.entry.ended).toBe('client-gone');
});

test('sees who looks into the workspace, for what, and what there is to be seen', async () => {
  const { mock, recorder } = await start({ faults: ['gateway_failure phase=during-generation times=1'] });
  await complete(mock, CHAT, { 'Idempotency-Key': 'k' });
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
  await complete(mock);
  mock.sandboxes.root.reset();
  await complete(mock);
  expect(recorder.requests).toHaveLength(2);
  expect(mock.sandboxes.create()?.recorder?.requests).toEqual([]);
});

test('is not there unless somebody asked for one', async () => {
  const mock = await openMock({ control: true });
  expect(mock.sandboxes.root.recorder).toBeUndefined();
});
