import { expect, test } from 'vitest';
import type { Host } from '../start-mock.ts';
import { openMock } from '../test-support/open-mock.ts';
import { dial, head } from '../test-support/wire.ts';

const ask = (mock: Host): string => head(mock, 'GET /v1/models');

/** The statuses of what was received. */
const statuses = (bytes: string): readonly string[] =>
  [...bytes.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status = '']) => status);

test.each([
  ['idle_closed ms=60000', ['200', '200'], 'open'],
  ['idle_closed how=announced', ['200'], 'FIN'],
])('closes a kept connection only once no request runs on it, given %s', async (fault, answers, end) => {
  const mock = await openMock({ faults: [`${fault} endpoint=models`] });
  const { received } = dial(mock, ask(mock) + ask(mock));
  await expect.poll(() => [statuses(received.bytes), received.end]).toEqual([answers, end]);
});

test('counts the requests of each connection', async () => {
  const mock = await openMock({ faults: ['rate_limit endpoint=models nth=2 per=connection'] });
  for (const { socket, received } of [dial(mock), dial(mock)])
    for (const expected of [['200'], ['200', '429'], ['200', '429', '200']]) {
      socket.write(ask(mock));
      await expect.poll(() => statuses(received.bytes)).toEqual(expected);
    }
});
