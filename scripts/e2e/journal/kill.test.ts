import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/chat.ts';
import { INVARIANTS } from '../../../suites/catalogue.ts';
import { readJournal } from '../../../suites/engine/journal/read-journal.ts';
import { judgedThen } from '../../../suites/engine/running/rejudge.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { spawnCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

/** A run is killed as this request arrives, or as its answer leaves: in the preflight, among its first requests, and later. */
test.each([
  { at: 1, when: 'arrival' },
  { at: 2, when: 'answer' },
  { at: 5, when: 'arrival' },
  { at: 8, when: 'answer' },
  { at: 12, when: 'arrival' },
  { at: 16, when: 'answer' },
])(
  'records every request that arrived, given a run that is killed at the $when of request $at',
  async ({ at, when }) => {
    const started = Promise.withResolvers<ChildProcess>();
    const kill = async (): Promise<unknown> => (await started.promise).kill('SIGKILL');
    const { baseUrl, arrivals } = await startErringService((_arrival, response, nth) => {
      if (nth === at && when === 'answer') response.once('close', () => void kill());
      if (nth === at && when === 'arrival') void kill();
      return false;
    });
    const report = join(temporaryFolder(), 'out');
    const args = ['--base-url', baseUrl, '--only', 'REQ-6,AUTH-1', '--seed', '1', '--report', report];
    const child = spawnCommand(args, KEY);
    started.resolve(child);
    for (const stream of [child.stdout, child.stderr]) stream?.resume();
    await once(child, 'close');
    expect(child.signalCode).toBe('SIGKILL');

    // Its journal can be read and reported, and holds the exact bytes of each request that arrived.
    const recording = readJournal(join(report, 'journal.ndjson'));
    const inJournal = recording.record.map(({ request: { method, path, headers, body } }) => ({
      line: `${method} ${path} ${headers[HEADERS.idempotencyKey]}`,
      body: Buffer.from(body ?? []).toString('base64'),
    }));
    const came = arrivals.map(({ method, path, headers, body }) => ({
      line: `${method} ${path.replace('/v1', '')} ${String(headers[HEADERS.idempotencyKey])}`,
      body: body.toString('base64'),
    }));
    expect(inJournal).toEqual(expect.arrayContaining(came));
    const { uncertain, outcome } = summarise(judgedThen(recording, INVARIANTS));
    const unknown = uncertain.map(({ id }) => id);
    expect(unknown).toEqual(expect.arrayContaining(recording.inFlight.map(({ id }) => id)));
    expect([recording.finished, outcome]).toEqual([undefined, expect.not.stringMatching('conformant')]);
  },
);
