import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pMap from 'p-map';
import { expect, test } from 'vitest';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { runCommand, spawnCommand } from '../support/command.ts';
import { type ServedRequest, type ErringService, startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const SIDE_BY_SIDE = 2;

/** Each run is killed as this request arrives, or as its answer leaves: once at every place, by either signal. */
const POINTS = Array.from({ length: 16 }, (_, index) => index + 1).flatMap((at) =>
  (['arrival', 'answer'] as const).flatMap((when) =>
    (['SIGKILL', 'SIGTERM'] as const).map((signal) => ({ at, when, signal })),
  ),
);

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };
const ONLY = ['--only', 'REQ-6,AUTH-1', '--quiet'];

/** Every run has its own path, which identifies its requests. */
function runOf({ path }: ServedRequest): number {
  return Number(/^\/run-(\d+)\//.exec(path)?.[1]);
}

test('records every request that arrived, whenever the run is killed', async () => {
  const folder = temporaryFolder();
  const processes = new Map<number, ChildProcess>();
  const arrived = POINTS.map(() => 0);
  const service = await startErringService((arrival, response) => {
    const run = runOf(arrival);
    const point = POINTS[run];
    const isPoint = (arrived[run] = (arrived[run] ?? 0) + 1) === point?.at;
    if (isPoint && point.when === 'answer')
      response.once('close', () => processes.get(run)?.kill(point.signal));
    if (isPoint && point.when === 'arrival') processes.get(run)?.kill(point.signal);
    return false;
  });
  // Fills the compile cache: a run that is killed writes nothing to it.
  await runCommand(['--base-url', service.baseUrl, ...ONLY, '--report', join(folder, 'whole')], KEY);
  const runAndKill = async (run: number): Promise<void> => {
    const child = startRun(run, service, folder);
    processes.set(run, child);
    await once(child, 'close');
  };
  await pMap(POINTS.keys(), runAndKill, { concurrency: SIDE_BY_SIDE });
  for (const run of POINTS.keys()) expectWhole(run, service, folder);
  const killed = [...processes.values()].filter(({ signalCode }) => signalCode === 'SIGKILL');
  expect(killed.length).toBeGreaterThan(POINTS.length / 3);
}, 300_000);

function startRun(run: number, { baseUrl }: ErringService, folder: string): ChildProcess {
  const url = baseUrl.replace('/v1', `/run-${run}/v1`);
  const args = ['--base-url', url, ...ONLY, '--seed', String(run), '--report', join(folder, String(run))];
  const child = spawnCommand(args, KEY);
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

/** Its journal can be read and reported, and holds the exact bytes of each request that arrived. */
function expectWhole(run: number, { arrivals }: ErringService, folder: string): void {
  const recording = readJournal(join(folder, String(run), 'journal.ndjson'));
  const recorded = recording.record.filter(({ id }) => recording.sent.has(id));
  const inJournal = recorded.map(({ request: { method, path, headers, body } }) =>
    [method, path, headers[HEADERS.idempotencyKey] ?? '', Buffer.from(body ?? []).toString('base64')].join(
      ' ',
    ),
  );
  const came = arrivals
    .filter((arrival) => runOf(arrival) === run)
    .map(({ method, path, headers, body }) =>
      [
        method,
        path.replace(/^.*\/v1/, ''),
        headers[HEADERS.idempotencyKey] ?? '',
        body.toString('base64'),
      ].join(' '),
    );
  expect(inJournal).toEqual(expect.arrayContaining(came));
  const summary = summarise(recordedFindings(recording, INVARIANTS));
  const unknown = summary.uncertain.map(({ id }) => id);
  expect(unknown).toEqual(expect.arrayContaining(recording.inFlight.map(({ id }) => id)));
  expect(recording.finished === undefined && summary.outcome === 'conformant').toBe(false);
}
