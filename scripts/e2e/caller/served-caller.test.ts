import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { serveAndDrive } from '../../caller/serve-and-drive.ts';
import { callCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

/** Summarises tickets. A journal in CHAT_FOLDER says what became of each; at its start it deals with those that were lost. */
const SERVER = `
import { createServer } from 'node:http';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
const { CHAT_BASE_URL: url, CHAT_API_KEY, CHAT_CONTROL_URL: control, CHAT_FOLDER, CHAT_TIMEOUT_MS, CHAT_MODEL } = process.env;
const [port, mode] = process.argv.slice(2);
const headers = { authorization: 'Bearer ' + CHAT_API_KEY, 'content-type': 'application/json' };
const journal = CHAT_FOLDER + '/journal';
const note = (job) => appendFileSync(journal, JSON.stringify(job) + '\\n');

async function once({ key, text }) {
  const body = JSON.stringify({ model: CHAT_MODEL, messages: [{ role: 'user', content: text }], max_tokens: 8 });
  const signal = AbortSignal.timeout(Number(CHAT_TIMEOUT_MS));
  const answer = await fetch(url + '/chat/completions', { method: 'POST', body, signal, headers: { ...headers, 'idempotency-key': key } });
  if (!answer.ok) throw new Error(answer.status);
}

async function send(job, attempts = mode === 'retries' ? 2 : 1) {
  note({ ...job, state: 'sent' });
  try {
    if (mode === 'sends twice') once(job).catch(() => {});
    await once(job);
    note({ ...job, state: 'done' });
    return 201;
  } catch {
    return attempts > 1 ? send({ ...job, key: crypto.randomUUID() }, attempts - 1) : 202;
  }
}

const jobs = new Map();
if (existsSync(journal))
  for (const line of readFileSync(journal, 'utf8').trim().split('\\n')) jobs.set(JSON.parse(line).key, JSON.parse(line));
for (const job of jobs.values()) {
  if (job.state === 'done') continue;
  // So late that it may be a decision, however soon the server starts anew.
  if (mode === 'forgets to look') await wait(2000);
  if (mode === 'forgets to look') await send({ ...job, key: crypto.randomUUID() });
  const { requests } = await (await fetch(control + '/requests?idempotencyKey=' + job.key)).json();
  // The key of what was done gets its answer; that of what was never done is free.
  if (mode !== 'forgets to look' && requests[0]?.state !== 'under_review') await send(job);
}
await fetch(url + '/models', { headers });
createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  response.writeHead(text === '' ? 200 : await send({ key: crypto.randomUUID(), text })).end();
}).listen(Number(port), '127.0.0.1');
`;

/** The tests of the server: three tickets. */
const DRIVE = `
const { request } = require('node:http');
const [port, method] = [process.env.PORT, 'POST'];
function send([text, ...others]) {
  if (text === undefined) return;
  request({ host: '127.0.0.1', port, method }, (answer) => answer.resume().on('end', () => send(others))).end(text);
}
send(['The printer burns.', 'My password does not work.', 'Hello']);
`;

async function judged(mode: string, ...options: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  writeFileSync(join(folder, 'drive.cjs'), DRIVE);
  const node = `"${process.execPath}" "${folder}`;
  const serve = `${node}/server.mjs" {port} '${mode}'`;
  const out = join(folder, 'out');
  const drive = ['--drive', `${node}/drive.cjs"`, '--report', out, '--seed', '7', ...options];
  const { code, stdout } = await callCommand(['caller', '--serve', serve, ...drive]);
  const { checks, scenarios = [] } = readReport(out);
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  const blamed = scenarios.filter(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'fail'));
  const lost = scenarios.find(({ name }) => name === 'charged-and-lost');
  const kept = lost?.verdicts.find(({ check }) => check === 'details-kept')?.verdict;
  return { code, stdout, failed, checks, kept, scenarios: blamed.map(({ name }) => name) };
}

const LOSSES = 'charged-and-lost,no-answer,lost-before-restart';

test('passes a server that looks up what it lost', async () => {
  const { code, checks, stdout } = await judged('', '--scenario', `plain-use,late-answer,${LOSSES}`);
  expect(stdout).toContain('Outcome: conformant');
  expect(code).toBe(0);
  const passed = checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual([
    'fresh-key-per-request',
    'key-retained',
    'lost-answer-is-uncertain',
    'not-sent-again-unchecked',
    'five-fields-only',
    'listed-models-only',
    'no-automatic-retry',
    'waits-120-seconds',
    'version-in-base-address',
    'details-kept',
    'non-json-survived',
  ]);
});

test.each([
  ['retries', ['not-sent-again-unchecked', 'no-automatic-retry'], LOSSES.split(',')],
  ['forgets to look', ['not-sent-again-unchecked'], ['lost-before-restart']],
])('blames a server that %s for %j', async (mode, checks, scenarios) => {
  const { code, failed, stdout, ...found } = await judged(mode, '--scenario', `plain-use,${LOSSES}`);
  expect({ code, failed, scenarios: found.scenarios.toSorted() }).toEqual({
    code: 1,
    failed: checks,
    scenarios: scenarios.toSorted(),
  });
  expect(stdout).toMatch(/again +chat-conformance caller --scenario plain-use\S* --seed 7 --serve '/);
  // In its journal, and nowhere else.
  expect(found.kept).toBe('pass');
});

test('blames a server for what it sends twice, and not for waiting when it is ended', async () => {
  const { code, failed } = await judged('sends twice', '--scenario', 'plain-use,late-answer');
  expect(code).toBe(1);
  expect(failed).toContain('fresh-key-per-request');
  expect(failed).not.toContain('waits-120-seconds');
});

/** Ends the first time, and not the second. */
const DRIVE_ONCE = `
const { existsSync, writeFileSync } = require('node:fs');
const again = existsSync('once');
writeFileSync(again ? 'again' : 'once', '');
if (again) setInterval(() => {}, 1000);
`;

test('says when a server was driven again, although it was stopped since', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'server.cjs'), `require('node:http').createServer().listen(process.env.PORT);`);
  writeFileSync(join(folder, 'drive.cjs'), DRIVE_ONCE);
  const run = `cd "${folder}" && "${process.execPath}"`;
  const [serve, drive] = [`${run} server.cjs`, `${run} drive.cjs`];
  const stop = new AbortController();
  const limits = { deadlineMs: 60_000, names: {}, signal: stop.signal };
  const ended = serveAndDrive({ serve, drive, ready: undefined, ...limits })({
    baseUrl: '',
    apiKey: '',
    otherBaseUrl: '',
    otherApiKey: '',
    controlUrl: '',
    timeoutMs: 1000,
    model: '',
    task: { version: 1, scenario: 'lost-before-restart', atOnce: 1, wishes: [] },
    folder,
    restarts: true,
    record: join(folder, 'record'),
  });
  await expect.poll(() => existsSync(join(folder, 'again')), { timeout: 20_000 }).toBe(true);
  stop.abort();
  expect(await ended).toMatchObject({ kind: 'stopped', restart: { drivenAt: expect.any(Number) } });
});
