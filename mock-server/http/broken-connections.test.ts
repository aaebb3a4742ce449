import { expect, test } from 'vitest';
import type { Mock } from '../start-mock.ts';
import { openMock } from '../test-support/open-mock.ts';
import { dial, talk } from '../test-support/wire.ts';

/** Sends bytes, and resets the connection a few turns of the event loop later. */
async function sendAndReset(mock: Mock, bytes: string, turns: number): Promise<void> {
  const { socket, over } = dial(mock);
  let left = turns;
  const wait = (): void => void (left-- > 0 ? setImmediate(wait) : socket.resetAndDestroy());
  socket.on('connect', () => socket.write(bytes, wait));
  await over;
}

test.each([
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nand more',
  'GET /v1/models HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nframes',
  'GET /v1/models HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n',
  'no request\r\n\r\n',
])('lives on when a connection is reset after %j', async (bytes) => {
  const mock = await openMock();
  // An unhandled error fails the run of vitest.
  for (let round = 0; round < 60; round += 1) await sendAndReset(mock, bytes, round % 3);
  expect((await fetch(`${mock.url}/models`)).status).toBe(401);
});

test('journals CONNECT and bytes that are no request, for people and for no judge', async () => {
  const mock = await openMock({ control: true, witnessed: true });
  const tunnel = await talk(mock, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
  const refused = await talk(mock, 'no request\r\n\r\n');
  const { journal, recorder } = mock.sandboxes.root;
  expect(journal?.entries()).toMatchObject([
    { method: 'CONNECT', path: 'a:1', status: 404, ended: 'answered', bytesWritten: tunnel.length },
    { method: 'BYTES', path: '', status: 400, ended: 'answered', bytesWritten: refused.length },
  ]);
  expect(recorder?.requests).toEqual([]);
  const shown = await fetch(`${mock.control}/journal/2`);
  expect(await shown.json()).toMatchObject({ request: { body: { text: 'no request\r\n\r\n' } } });
});
