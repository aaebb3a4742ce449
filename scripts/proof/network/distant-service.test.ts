import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { atADistance } from './distant-service.ts';

const NETWORK = { roundTripMs: 4, bytesPerSecond: 1e6, jitterMs: 1 };

test('carries every byte both ways, whatever the pieces', async () => {
  const server = createServer((request, response) => request.pipe(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  const near = { baseUrl: `http://127.0.0.1:${port}/v1`, keys: { primary: 'k' }, close };
  const far = await atADistance(near, NETWORK, 1);
  onTestFinished(() => far.close());
  const body = Array.from({ length: 9000 }, (_, i) => `line ${i}\n`).join('');
  const answers = [1, 2, 3].map(() => fetch(far.baseUrl, { method: 'POST', body }));
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  expect(texts.map((text) => text === body)).toEqual([true, true, true]);
});
