import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Mock, startMock } from '../start-mock.ts';

function ask(mock: Mock): string {
  const key = mock.keys['primary'];
  return `GET /v1/models HTTP/1.1\r\nHost: mock\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

function open(mock: Mock): Socket {
  return connect({ port: mock.port, host: '127.0.0.1', allowHalfOpen: true });
}

/** Ends the caller's side after a request, and tells whether the mock had ended its own some requests later. */
async function endsAfter(fault: string): Promise<boolean> {
  const mock = await startMock({ faults: [`${fault} endpoint=models times=1`] });
  const socket = open(mock);
  const heard: string[] = [];
  socket.on('end', () => heard.push('end')).resume();
  socket.write(ask(mock));
  await expect.poll(() => mock.sandboxes.root.service.faults.unfired()).toEqual([]);
  socket.end();
  for (let request = 0; request < 20 && heard.length === 0; request += 1)
    await (await fetch(`${mock.url}/models`)).text();
  socket.destroy();
  await mock.close();
  return heard.length > 0;
}

test('does not notice that a caller has gone, given half_open', async () => {
  expect(await endsAfter('half_open')).toBe(false);
  expect(await endsAfter('timeout')).toBe(true);
});

test('closes with a half-open connection, whose caller hears of it', async () => {
  const mock = await startMock({ faults: ['half_open endpoint=models'] });
  const socket = open(mock).resume();
  socket.on('error', () => {});
  socket.write(ask(mock));
  await expect.poll(() => mock.sandboxes.root.service.faults.unfired()).toEqual([]);
  const closed = once(socket, 'close');
  socket.on('end', () => socket.end());
  await mock.close();
  await closed;
  expect(socket.destroyed).toBe(true);
});

/** Sends a second request on the connection after the first answer. Gives the answers, and how the connection is. */
async function twoRequests(fault: string): Promise<{ answers: number; isOpen: boolean }> {
  const mock = await startMock({ faults: [`${fault} endpoint=models`] });
  const socket = open(mock);
  let bytes = '';
  socket.on('data', (piece: Buffer) => (bytes += piece.toString('latin1')));
  socket.on('end', () => socket.end());
  const answers = (): number => bytes.split('HTTP/1.1 200').length - 1;
  socket.write(ask(mock) + ask(mock));
  await expect.poll(() => answers() === 2 || socket.destroyed).toBe(true);
  const isOpen = !socket.destroyed;
  socket.destroy();
  await mock.close();
  return { answers: answers(), isOpen };
}

test('closes a kept connection only once no request runs on it', async () => {
  expect(await twoRequests('idle_closed ms=60000')).toEqual({ answers: 2, isOpen: true });
  expect((await twoRequests('idle_closed how=announced')).answers).toBe(1);
});

test('counts the requests of each connection', async () => {
  const mock = await startMock({ faults: ['rate_limit endpoint=models nth=2 per=connection'] });
  const statuses = async (): Promise<readonly string[]> => {
    const socket = open(mock);
    let bytes = '';
    socket.on('data', (piece: Buffer) => (bytes += piece.toString('latin1')));
    const found = (): readonly string[] =>
      [...bytes.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status = '']) => status);
    for (let sent = 1; sent <= 3; sent += 1) {
      socket.write(ask(mock));
      await expect.poll(() => found().length).toBe(sent);
    }
    socket.destroy();
    return found();
  };
  expect(await statuses()).toEqual(['200', '429', '200']);
  expect(await statuses()).toEqual(['200', '429', '200']);
  await mock.close();
});
