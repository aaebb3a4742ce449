import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../../mock-server/start-mock.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { type CommandResult, resultOf, spawnCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };
const ONLY = ['--only', 'REQ-6', '--seed', '3', '--quiet', '--concurrency', '1'];

/** A run against a service that leaves its fifth request for the test to answer. */
async function heldRun(...more: readonly string[]) {
  const held = Promise.withResolvers<ServerResponse>();
  const { baseUrl, arrivals } = await startErringService((_arrival, response, nth) => {
    if (nth === 5) held.resolve(response);
    return nth === 5;
  });
  const report = join(temporaryFolder(), 'out');
  const child = spawnCommand(['--base-url', baseUrl, ...ONLY, ...more, '--report', report], KEY);
  const result = resultOf(child);
  const response = await held.promise;
  return { child, result, response, arrivals, journal: join(report, 'journal.ndjson') };
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'finishes the requests in flight, sends no more, and reports given %s',
  async (signal) => {
    const { child, result, response, arrivals, journal } = await heldRun();
    child.stderr?.once('data', () => response.end('{}'));
    child.kill(signal);
    const { code, stdout } = await result;
    expect(code).toBe(130);
    expect(stdout).toMatch(/Cut short: interrupted: \d+ draws were not sent/);
    expect(arrivals).toHaveLength(5);
    const { finished, inFlight } = readJournal(journal);
    expect(finished?.cutShort).toEqual([expect.stringContaining('interrupted')]);
    expect(inFlight).toEqual([]);
  },
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ends at once, with a journal that lists the requests in flight, given %s twice',
  async (signal) => {
    const { child, result, arrivals, journal } = await heldRun();
    child.stderr?.once('data', () => child.kill(signal));
    child.kill(signal);
    expect((await result).code).toBe(130);
    const recording = readJournal(journal);
    const { uncertain, outcome, cutShort } = summarise(recordedFindings(recording, INVARIANTS));
    const key = arrivals[4]?.headers['idempotency-key'];
    expect(uncertain).toMatchObject([{ idempotencyKey: key }]);
    expect(cutShort).toEqual(['the run was killed while 1 request was in flight']);
    expect(outcome).not.toBe('conformant');
  },
);

test('sends no more once its time is over, gives up what is in flight, and reports it', async () => {
  const { result, arrivals } = await heldRun('--max-time', '3s', '--timeout', '600000');
  const { code, stdout } = await result;
  expect(code).toBe(3);
  expect(stdout).toMatch(/Cut short: --max-time 3s is over: \d+ draws were not sent/);
  expect(stdout).toContain(String(arrivals[4]?.headers['idempotency-key']));
  expect(arrivals).toHaveLength(5);
});

/** A service that begins each answer to these requests, and sends a byte of it now and then, for ever. */
async function drippingService(drips: (path: string) => boolean): Promise<string> {
  const { baseUrl } = await startErringService(({ path }, response) => {
    if (!drips(path)) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const dripping = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(dripping));
    return true;
  });
  return baseUrl;
}

const SHORT = ['--max-time', '1s', '--timeout', '600000', '--tier', 'smoke'];

/** Reads what a watch says until its first round is over, and ends it. */
async function firstRound(child: ChildProcess): Promise<CommandResult> {
  const result = resultOf(child);
  let seen = '';
  for await (const chunk of child.stderr ?? []) {
    seen += String(chunk);
    if (seen.includes('waiting for changes')) break;
  }
  child.kill('SIGTERM');
  return result;
}

test('ends in its time what never ends by itself: a first answer, a preflight, a round of a watch', async () => {
  const [never, listed] = [
    await drippingService(() => true),
    await drippingService((path) => path !== '/v1/models'),
  ];
  const folder = temporaryFolder();
  const run = (...args: readonly string[]): ChildProcess => spawnCommand([...args, ...SHORT], KEY);
  const [first, preflight, round] = await Promise.all([
    resultOf(run('--base-url', never, '--report', folder)),
    resultOf(run('--base-url', listed)),
    firstRound(run('--base-url', listed, '--watch')),
  ]);
  const why = `error: no answer from ${never}/models: no longer waited for: --max-time 1s is over\n`;
  expect([first.code, first.stderr]).toEqual([4, expect.stringContaining(why)]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['report.json', 'junit.xml']));
  for (const { stdout } of [preflight, round]) expect(stdout).toContain('Cut short: --max-time 1s is over: ');
  expect(preflight.code).toBe(3);
});

test('ends in its time given a control URL that answers for ever', async () => {
  const mock = await startMock({});
  onTestFinished(() => mock.close());
  const control = await drippingService(() => true);
  const began = performance.now();
  const args = ['--base-url', mock.url, '--control-url', control, '--only', 'ERR-7,IDEM-3'];
  const { code, stdout } = await resultOf(
    spawnCommand([...args, ...SHORT], { CHAT_API_KEY: mock.keys.primary ?? '' }),
  );
  expect([code, stdout]).toEqual([3, expect.stringContaining('Cut short: ')]);
  expect(performance.now() - began).toBeLessThan(15_000);
});
