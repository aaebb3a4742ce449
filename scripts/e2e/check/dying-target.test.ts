import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { summarise } from '../../../suites/kit/summary/summarise.ts';
import { journalledRun, shortRun } from '../support/journalled-run.ts';

/** Serves every chat, and ends with the first that holds `top_p`, whatever else is under way. */
const SERVICE = `
  const served = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }], usage: { total_tokens: 2 } };
  const server = require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk)).on('end', () => {
      if (body.includes('top_p')) process.exit(1);
      const answer = JSON.stringify(request.url.endsWith('/models') ? { data: [{ id: 'any-1' }] } : served);
      const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      body === '' ? send() : setTimeout(send, 40);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function startMortal(): Promise<string> {
  const child = spawn(process.execPath, ['-e', SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return `http://127.0.0.1:${String(port).trim()}/v1`;
}

test('says after which request the target died, blames it, and sends nothing more', async () => {
  const baseUrl = await startMortal();
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
  // Those that were under way, and nothing that was never sent.
  const { record } = recording;
  expect(summary.uncertain.length).toBeLessThanOrEqual(12);
  expect(summary.uncertain.every(({ reason }) => reason.startsWith('the connection broke'))).toBe(true);
  const afterwards = record.filter(({ outcome }) => outcome.kind === 'not-sent');
  const left = afterwards.filter(({ id }) => recording.sent.has(id));
  expect(afterwards.length).toBeGreaterThan(100);
  expect(left.length).toBeLessThanOrEqual(12);
  const again = summarise(recordedFindings(recording, INVARIANTS));
  expect(again.clauses.find(({ id }) => id === 'ERR-11')).toEqual(clause);
  expect(again.cutShort).toEqual(summary.cutShort);
});
