import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { type JournalledRun, journalledRun, shortRun } from '../support/journalled-run.ts';

/**
 * Serves every chat, and ends with the first that holds `top_p`, whatever else is under way; given a number, with that
 * request alone, which it worked on for a while. "polite" ends after that request: it answers it, and closes the connection
 * as one that is idle, unaware of the next request that is on its way. SIGTERM stops it politely, too: it answers what is under way,
 * and nothing else.
 */
const SERVICE = `
  const [last, isPolite] = [Number(process.argv[1]), process.argv[2] === 'polite'];
  let arrived = 0;
  const served = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }], usage: { total_tokens: 2 } };
  const server = require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      arrived += 1;
      if (Number.isNaN(last) && body.includes('top_p')) process.exit(1);
      if (arrived === last && !isPolite) return void setTimeout(() => process.exit(1), 150);
      if (arrived > last) return void server.close(() => process.exit(0)), request.socket.destroy();
      const answer = JSON.stringify(request.url.endsWith('/models') ? { data: [{ id: 'any-1' }] } : served);
      const send = () => response.writeHead(200, { 'content-type': 'application/json', ...(last === Infinity && { connection: 'close' }) }).end(answer);
      body === '' ? send() : setTimeout(send, Number.isNaN(last) ? 150 : 40);
    });
  });
  process.on('SIGTERM', () => server.close(() => process.exit(0)));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

interface Mortal {
  readonly baseUrl: string;
  readonly stop: () => void;
}

async function startMortal(last?: number, end = 'hard'): Promise<Mortal> {
  const args = last === undefined ? [] : [String(last), end];
  const child = spawn(process.execPath, ['-e', SERVICE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { baseUrl: `http://127.0.0.1:${String(port).trim()}/v1`, stop: () => void child.kill() };
}

test('says after which request the target died, blames it, and sends nothing more', async () => {
  const { baseUrl } = await startMortal();
  const { summary, recording } = await journalledRun(
    shortRun(
      { kind: 'live', baseUrl, keys: { primary: 'sk-a-key-of-this-test' }, profile: {}, headers: {} },
      { concurrency: 12 },
    ),
  );
  const said = 'the target stopped answering after ';
  expect(summary.cutShort).toEqual([expect.stringContaining(said)]);
  const clause = summary.clauses.find(({ id }) => id === 'ERR-11');
  expect(clause).toMatchObject({ verdict: 'fail', reason: expect.stringContaining(said) });
  const [evidence] = summary.checks.find(({ id }) => id === 'never-fails')?.evidence ?? [];
  expect(evidence?.exchange.outcome).toContain('uncertain: the connection broke');
  // Those that were under way, at most one more in each place before the end was known, and nothing that was never sent.
  const { record } = recording;
  expect(summary.uncertain.length).toBeLessThanOrEqual(24);
  expect(summary.uncertain.every(({ reason }) => reason.startsWith('the connection broke'))).toBe(true);
  const afterwards = record.filter(({ outcome }) => outcome.kind === 'not-sent');
  const left = afterwards.filter(({ id }) => recording.sent.has(id));
  expect(afterwards.length).toBeGreaterThan(100);
  expect(left.length).toBeLessThanOrEqual(24);
  const again = summarise(recordedFindings(recording, INVARIANTS));
  expect(again.clauses.find(({ id }) => id === 'ERR-11')).toEqual(clause);
  expect(again.cutShort).toEqual(summary.cutShort);
});

const SERVED = CHECKS.filter(({ id }) => id === 'usage-returned');

/** A run of one check against a service that ends with its nth request. */
async function lastingRun(last: number, end?: 'polite'): Promise<JournalledRun> {
  const { baseUrl } = await startMortal(last, end);
  const keys = { primary: 'sk-a-key-of-this-test' };
  return journalledRun(
    shortRun({ kind: 'live', baseUrl, keys, profile: {}, headers: {} }, { checks: SERVED, concurrency: 1 }),
  );
}

test('blames the very last request of a run for the end of the target', async () => {
  const whole = await lastingRun(Infinity);
  expect(whole.summary.checks.find(({ id }) => id === 'never-fails')?.verdict).toBe('pass');
  const { summary, recording } = await lastingRun(whole.recording.sent.size);
  const [id] = [...recording.sent].slice(-1);
  const said = `the target stopped answering after ${id}, whose connection broke`;
  expect(summary.cutShort).toEqual([said]);
  const clause = summary.clauses.find((each) => each.id === 'ERR-11');
  expect(clause?.verdict).toBe('fail');
  expect(recording.sent.size).toBe(whole.recording.sent.size);
  for (const findings of [recordedFindings(recording, INVARIANTS), rejudge(recording, SERVED, INVARIANTS)]) {
    const again = summarise(findings);
    expect(again.clauses.find((each) => each.id === 'ERR-11')).toEqual(clause);
    expect(again.cutShort).toEqual([said]);
  }
});

test('blames no request of a service that was stopped and answered all that had arrived', async () => {
  const { baseUrl, stop } = await startMortal(Infinity);
  let ended = 0;
  const { summary } = await journalledRun(
    shortRun(
      { kind: 'live', baseUrl, keys: { primary: 'sk-a-key-of-this-test' }, profile: {}, headers: {} },
      { concurrency: 12, onExchange: () => (ended += 1) === 60 && stop() },
    ),
  );
  expect(summary.cutShort).toEqual([expect.stringMatching(/^the target stopped .*, which it had answered$/)]);
  expect(summary.clauses.find(({ id }) => id === 'ERR-11')?.verdict).not.toBe('fail');
  expect(summary.uncertain).toEqual([]);
});

test('blames no request that was on its way to a connection which the service closed as it ended', async () => {
  const { summary } = await lastingRun(4, 'polite');
  expect(summary.cutShort).toContainEqual(expect.stringMatching(/^the target stopped .* broke as it left$/));
  expect(summary.clauses.find(({ id }) => id === 'ERR-11')?.verdict).not.toBe('fail');
  expect(summary.uncertain).toHaveLength(1);
});
