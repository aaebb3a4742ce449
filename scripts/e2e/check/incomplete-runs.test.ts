import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { INVARIANTS } from '../../../suites/catalogue.ts';
import { readJournal } from '../../../suites/engine/journal/read-journal.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { judgedThen } from '../../../suites/engine/running/rejudge.ts';
import { summarise } from '../../../suites/engine/summary/summarise.ts';
import { callCommand, resultOf, spawnCommand } from '../support/command.ts';
import { type ServedRequest, startErringService } from '../support/erring-service.ts';
import { journalledRun, shortRun, temporaryFolder } from '../support/journalled-run.ts';
import { layeredTarget } from '../support/layered-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

test('exits 3 given a cap that ends the run early, and 1 with --fail-on not-exercised', async () => {
  const capped = ['--only', 'REQ-6,RES-1', '--max-requests', '4', '--quiet'];
  expect(await callCommand(capped)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('Outcome: incomplete'),
  });
  expect(await callCommand([...capped, '--fail-on', 'not-exercised'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Failed on not-exercised: .*REQ-6/),
  });
});

test('requests no more completions after three uncertain outcomes in a row, lists them, and exits 3', async () => {
  let chats = 0;
  const { target } = await layeredTarget(({ method, path }) => {
    if (method === 'GET' || !path.endsWith('/chat/completions')) return undefined;
    chats += 1;
    return 'cut';
  });
  const report = temporaryFolder();
  const options = ['--seed', '1', '--quiet', '--concurrency', '1', '--report', report];
  const keys = { CHAT_API_KEY: target.keys.primary };
  const { code, stdout } = await callCommand(['--base-url', target.baseUrl, ...options], keys);
  const { outcome, uncertain } = readReport(report);
  expect({ code, outcome, chats }).toEqual({ code: 3, outcome: 'incomplete', chats: 3 });
  expect(uncertain).toHaveLength(3);
  expect(stdout).toContain('Check these in the workspace');
  expect(stdout).toMatch(/^Incomplete: 3 requests with an unknown outcome: check the workspace$/m);
});

const ONLY = ['--only', 'REQ-6', '--seed', '3', '--quiet', '--concurrency', '1'];

test('exits 3 in one line, and sends no more, given a report folder that is removed', async () => {
  const report = join(temporaryFolder(), 'out');
  const { baseUrl, arrivals } = await startErringService((_arrival, _response, nth) => {
    if (nth === 4) rmSync(report, { recursive: true });
    return false;
  });
  const result = await callCommand(['--base-url', baseUrl, ...ONLY, '--report', report], KEY);
  expect(result.stdout).toMatch(/Cut short: the journal .+ was removed: \d+ inputs were not sent/);
  expect(result.stderr).toMatch(/^error: cannot write the reports to .+ \(ENOENT\)\n$/);
  expect([result.code, arrivals.length]).toEqual([3, 4]);
});

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

test('finishes the requests in flight, sends no more, reports and exits 130 given Ctrl-C', async () => {
  const { child, result, response, arrivals, journal } = await heldRun();
  child.stderr?.once('data', () => response.end('{}'));
  child.kill('SIGINT');
  const { code, stdout, stderr } = await result;
  expect([code, stderr]).toEqual([130, expect.stringContaining('Ctrl-C again')]);
  expect(stdout).toMatch(/Cut short: interrupted: \d+ inputs were not sent/);
  expect(arrivals).toHaveLength(5);
  const { finished, inFlight } = readJournal(journal);
  expect(finished?.cutShort).toEqual([expect.stringContaining('interrupted')]);
  expect(await callCommand(['report', journal])).toMatchObject({ code: 130 });
  expect(inFlight).toEqual([]);
});

test('ends at once, with a journal that lists the requests in flight, given Ctrl-C twice', async () => {
  const { child, result, arrivals, journal } = await heldRun();
  child.stderr?.once('data', () => child.kill('SIGINT'));
  child.kill('SIGINT');
  expect((await result).code).toBe(130);
  const { uncertain, outcome, cutShort } = summarise(judgedThen(readJournal(journal), INVARIANTS));
  expect(uncertain).toMatchObject([{ idempotencyKey: arrivals[4]?.headers['idempotency-key'] }]);
  expect(cutShort).toEqual(['the run was killed while 1 request was in flight']);
  expect(outcome).not.toBe('conformant');
});

/** Begins the answers to these requests, and sends a byte of it now and then, for ever. */
async function drippingService(drips: (arrival: ServedRequest) => boolean): Promise<string> {
  const { baseUrl } = await startErringService((arrival, response) => {
    if (!drips(arrival)) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const dripping = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(dripping));
    return true;
  });
  return baseUrl;
}

test('ends in its time what never ends by itself: the first answer, and every chat', async () => {
  const limits = ['--max-time', '1s', '--timeout', '600000', '--quiet'];
  const never = await drippingService(() => true);
  const listed = await drippingService(({ method }) => method === 'POST');
  const first = await callCommand(['--base-url', never, ...limits], KEY);
  const chats = await callCommand(['--base-url', listed, ...limits], KEY);
  const why = `error: no answer from ${never}/models: no longer waited for: --max-time 1s is over\n`;
  expect(first).toMatchObject({ code: 4, stderr: expect.stringContaining(why) });
  const cut = 'Cut short: --max-time 1s is over: ';
  expect(chats).toMatchObject({ code: 3, stdout: expect.stringContaining(cut) });
});

/** Serves every chat, and ends with the first that holds `top_p`, whatever else is under way. */
const MORTAL = `
  const served = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }], usage: { total_tokens: 2 } };
  const server = require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      if (body.includes('top_p')) process.exit(1);
      const answer = JSON.stringify(request.url.endsWith('/models') ? { data: [{ id: 'any-1' }] } : served);
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end(answer), body === '' ? 0 : 40);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

test('says after which request the target died, blames it, and sends nothing more', async () => {
  const child = spawn(process.execPath, ['-e', MORTAL], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  const baseUrl = `http://127.0.0.1:${String(port).trim()}/v1`;
  const keys = { primary: 'sk-a-key-of-this-test' };
  const target = { kind: 'live', baseUrl, keys, profile: {}, headers: {} } as const;
  const { summary, recording } = await journalledRun(shortRun(target, { concurrency: 12 }));
  const said = 'the target stopped answering after ';
  expect(summary.cutShort).toEqual([expect.stringContaining(said)]);
  const clause = summary.clauses.find(({ id }) => id === 'ERR-11');
  expect(clause).toMatchObject({ verdict: 'fail', reason: expect.stringContaining(said) });
  const [evidence] = summary.checks.find(({ id }) => id === 'never-fails')?.evidence ?? [];
  expect(evidence?.exchange.outcome).toContain('uncertain: the connection broke');
  expect(evidence?.curlNote).toContain('the line alone may not show this');
  // Those that were under way, at most one more in each place before the end was known, and nothing that was never sent.
  expect(summary.uncertain.length).toBeLessThanOrEqual(24);
  const afterwards = recording.record.filter(({ outcome }) => outcome.kind === 'not-sent');
  expect(afterwards.length).toBeGreaterThan(100);
  expect(afterwards.filter(({ id }) => recording.sent.has(id)).length).toBeLessThanOrEqual(24);
  const again = summarise(judgedThen(recording, INVARIANTS));
  expect(again.clauses.find(({ id }) => id === 'ERR-11')).toEqual(clause);
  expect(again.cutShort).toEqual(summary.cutShort);
});
