import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Operation, operation } from '../control/operation.ts';
import { type Mock, type MockOptions, startMock } from '../start-mock.ts';
import { builtInWorld } from '../world/built-in-world.ts';

const CHAT = '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}';

interface Failing {
  readonly mock: Mock;
  readonly log: readonly string[];
  /** Sends a chat on its own connection, with these headers, and returns everything received. */
  readonly chat: (...headers: readonly string[]) => Promise<string>;
}

/** Vitest fails the run for an uncaught error. */
async function withMock(options: MockOptions, use: (failing: Failing) => Promise<void>): Promise<void> {
  const log: string[] = [];
  const mock = await startMock({ log: (line) => log.push(line), ...options });
  try {
    await use({ mock, log, chat: (...headers) => talk(mock, chatBytes(mock, ...headers)) });
  } finally {
    await mock.close();
  }
}

function chatBytes({ keys }: Mock, ...headers: readonly string[]): string {
  const lines = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: mock',
    `Authorization: Bearer ${keys['primary']}`,
  ];
  const length = `Content-Length: ${CHAT.length}`;
  return [...lines, 'Content-Type: application/json', length, ...headers, '', CHAT].join('\r\n');
}

function talk({ port }: Mock, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  return text(socket);
}

/** Node refuses to write its answers. World files cannot say this, callers of `startMock` can. */
const { choices } = builtInWorld;
const unwritable = {
  ...builtInWorld,
  choices: { ...choices, versioning: { deprecation: 'a\nb', sunset: null } },
};

test.each<[MockOptions, ...string[]]>([
  [{}],
  [{ latency: 1 }],
  [{ gatherMs: 1 }],
  [{ control: true }],
  [{ faults: ['timeout ms=1 phase=after-debit'] }],
  [{ faults: ['pieces bytes=9'] }],
  [{}, 'x-mock-fault: connection_reset phase=inside-body'],
])('drops the connection, and lives, given an answer that cannot be written and %j', (options, ...headers) =>
  withMock({ ...options, world: unwritable }, async ({ chat, log }) => {
    for (let round = 0; round < 3; round += 1) expect(await chat(...headers)).toBe('');
    expect(log.filter((line) => line.startsWith('a request was dropped: '))).toHaveLength(3);
  }),
);

test('drops a connection whose turn to fail comes only after the answer to an earlier request', () =>
  withMock({ faults: ['timeout ms=60000 nth=1'] }, async ({ mock, log }) => {
    const { service } = mock.sandboxes.root;
    const [{ choices: chosen }, { delays }] = [service.world, service];
    const deprecations = ['a\nb'];
    const versioning = { sunset: null };
    Object.defineProperty(versioning, 'deprecation', { get: () => deprecations.pop() ?? null });
    Object.assign(service, { world: { ...service.world, choices: { ...chosen, versioning } } });
    const whole = talk(
      mock,
      chatBytes(mock) + chatBytes(mock, 'x-mock-fault: connection_closed phase=inside-body'),
    );
    // The second request is answered first, and waits for its turn.
    await expect.poll(() => deprecations).toEqual([]);
    delays.flush();
    expect((await whole).match(/^HTTP\/1.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
    expect(log).toEqual([expect.stringContaining('a request was dropped: ')]);
  }));

test.each([0, 1])(
  'answers 500 when the ledger fails at the debit and at the release, after %d ms',
  (latency) =>
    withMock({ latency }, async ({ mock, log, chat }) => {
      const broken = (): never => {
        throw new Error('broken ledger');
      };
      Object.assign(mock.sandboxes.root.service.ledger, { succeed: broken, fail: broken });
      for (let round = 0; round < 2; round += 1)
        expect(await chat('Connection: close')).toMatch(/^HTTP\/1.1 500[^]*internal_error/);
      expect(log.join('\n')).toContain('broken ledger');
    }),
);

const OPERATION: Operation = operation({
  name: 'breakDown',
  method: 'GET',
  path: '/break-down',
  about: 'mock',
  summary: 'Fails',
  query: z.object({}),
  body: z.unknown(),
  status: 200,
  answer: z.unknown(),
  run: () => {
    throw new Error('broken operation');
  },
});

test.each<[string, (line: string) => void]>([
  [
    'throws',
    () => {
      throw new Error('broken log');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('broken log'))],
])('lives on given a log that %s', (_, log) =>
  withMock({ log, logAnswers: true, control: true, operations: [OPERATION] }, async ({ mock, chat }) => {
    expect(await chat('Connection: close')).toMatch(/^HTTP\/1.1 200/);
    expect((await fetch(`${mock.control}/break-down`)).status).toBe(500);
    expect((await fetch(`${mock.control}/workspace`)).status).toBe(200);
  }),
);
