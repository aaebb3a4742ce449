import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addCheckOptions } from '../../cli/options/check-table.ts';
import { callCommand, COMMAND, resultOf, runCommand, spawnCommand } from '../support/command.ts';
import { refuseKey, startCountingServer, type CountingServer } from '../support/counting-server.ts';

const KEY = 'sk-a-key-that-nobody-must-see-0123456789';

const folder = mkdtempSync(join(tmpdir(), 'chat-conformance-'));
let server: CountingServer;

beforeAll(async () => {
  server = await startCountingServer(refuseKey);
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

async function serverOf(answer: (response: ServerResponse) => void): Promise<CountingServer> {
  const own = await startCountingServer(answer);
  onTestFinished(() => own.close());
  return own;
}

const BROKEN_PROFILE = fileOf('broken.json', '{"format":"chat-conformance/profile","version":1,"pin":{}}');
const NO_FOLDER = join(fileOf('file', ''), 'reports');

test.each([['merge', 'a'], ['report'], ['profile', 'learn'], ['caller'], []])(
  'takes no help after -- for an option, given %s %s',
  async (...words) => {
    for (const help of ['--help', '-h']) {
      const { code, stdout, stderr } = await callCommand([...words, '--unknown', '--', help]);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: "error: unknown option '--unknown'\n",
      });
    }
  },
);

test.each([
  [
    'an unknown option',
    ['--maxrequests', '3'],
    "unknown option '--maxrequests' (Did you mean --max-requests?)",
  ],
  ['an unknown option with a value', [`--key=${KEY}`], "unknown option '--key'"],
  ['an unknown command', ['lst'], 'unknown command "lst"'],
  ['a key in place of a command', [KEY], 'unknown command: '],
  ['a key as an option', ['--api-key', KEY], 'set CHAT_API_KEY'],
  ['a key as an option in one word', [`--api-key=${KEY}`], 'set CHAT_API_KEY'],
  [
    'an unknown check',
    ['--only', 'no-such-check-at-all'],
    'is called "no-such-check-at-all": chat-conformance list shows them all',
  ],
  ['a misspelt clause', ['--skip', 'REQQ-6'], 'did you mean REQ-6'],
  ['an empty name', ['--only', 'REQ-6,'], 'comma-separated list'],
  ['a clause without a check', ['--only', 'CALL-1'], 'no check covers CALL-1'],
  ['filters that leave nothing', ['--only', 'REQ-6', '--skip', 'REQ-6'], 'leave no check to run'],
  ['a broken profile', ['--profile', BROKEN_PROFILE], 'broken.json#: '],
  ['a profile that is not there', ['--profile', join(folder, 'none.json')], 'ENOENT'],
  ['an impossible report folder', ['--report', NO_FOLDER], 'cannot write to the report folder'],
  ['a key file that is not there', ['--api-key-file', join(folder, 'none')], 'cannot read --api-key-file'],
  ['a seed that is no number', ['--seed', 'x'], "'--seed <n>' argument 'x' is invalid"],
  ['a fraction of a request', ['--max-requests', '1.5'], 'whole number of 1 or more'],
  ['a concurrency of 0', ['--concurrency', '0'], 'whole number from 1'],
  ['a negative timeout', ['--timeout', '-5'], 'whole number from 1'],
  ['a number of draws that is a word', ['--runs', 'many'], 'whole number'],
  ['an unknown permission', ['--allow', 'everything'], 'disruptive, costly'],
  ['an unknown strictness', ['--fail-on', 'pass'], 'warn, not-exercised'],
  [
    'a header of the runner',
    ['--header', `authorization: Bearer ${KEY}`],
    'the runner sets this header itself',
  ],
  ['a header without a name', ['--header', KEY], 'must have the form NAME:VALUE'],
  ['an invalid control URL', ['--control-url', 'control'], '--control-url is not a URL'],
  ['a control token as an option', [`--control-token=${KEY}`], "unknown option '--control-token'"],
  ['an option before a command', ['--seed', '1', 'list'], 'does not belong before a command'],
])('exits 2 with one line and sends nothing given %s', async (_what, args, line) => {
  const before = server.count();
  const { code, stdout, stderr } = await callCommand(['--base-url', `${server.origin}/v1`, ...args], {
    CHAT_API_KEY: KEY,
  });
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout, sent: server.count() - before }).toEqual({ code: 2, stdout: '', sent: 0 });
  expect(stderr).not.toContain(KEY);
});

test.each([
  ['without /v1', '', { CHAT_API_KEY: KEY }, '/v1?'],
  ['with a path after /v1', '/v1/models', { CHAT_API_KEY: KEY }, 'must end in the version segment'],
  ['and no key', '/v1', {}, 'set CHAT_API_KEY'],
  [
    'and a key that no header can carry',
    '/v1',
    { CHAT_API_KEY: `${KEY} ${KEY}` },
    'CHAT_API_KEY must contain one key',
  ],
])('exits 2 with one line and sends nothing given a base URL %s', async (_what, path, environment, line) => {
  const before = server.count();
  const { code, stdout, stderr } = await callCommand(['--base-url', server.origin + path], environment);
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout, sent: server.count() - before }).toEqual({ code: 2, stdout: '', sent: 0 });
  expect(stderr).not.toContain(KEY);
});

test.each([
  ['once it begins', []],
  ['before it waits', ['--wait', '1']],
])('names the host that gets its keys before the first request %s', async (_what, args) => {
  const said: string[] = [];
  const written = vi.spyOn(process.stderr, 'write');
  const service = await startCountingServer((response) => {
    said.push(written.mock.calls.join(''));
    refuseKey(response);
  });
  onTestFinished(() => service.close());
  const control = `${service.origin}/control`;
  await callCommand(['--base-url', `${service.origin}/v1`, '--control-url', control, ...args], {
    CHAT_API_KEY: KEY,
  });
  const line = `checking ${service.origin}/v1, with its control API at ${control}\n`;
  expect(said[0]).toContain(line);
});

test('exits 4 with one line and what came given a key that the target refuses', async () => {
  const { code, stdout, stderr } = await callCommand(['--base-url', `${server.origin}/v1`, '--quiet'], {
    CHAT_API_KEY: KEY,
  });
  expect(stderr).toMatch(/^error: .+\n(?: {2}.+\n)+Written: .+\n$/);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
  expect(server.count()).toBeGreaterThan(0);
  expect(stderr).not.toContain(KEY);
});

test('exits 4 with one line given a target at which nothing listens', async () => {
  const gone = await startCountingServer(refuseKey);
  await gone.close();
  const { code, stdout, stderr } = await callCommand(['--base-url', `${gone.origin}/v1`, '--quiet'], {
    CHAT_API_KEY: KEY,
  });
  expect(stderr).toMatch(/^error: .+\nWritten: .+\n$/);
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
});

test('exits 0 with the version, and with help that names every exit code', async () => {
  expect(await runCommand(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  const { code, stdout } = await callCommand(['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /0 conformant.+1 violations.+2 wrong usage[^]+3 incomplete.+4 target unreachable.+130/,
  );
});

test('prints one screen of help, and every option where all is asked for', async () => {
  const { stdout: common } = await callCommand(['--help']);
  const { stdout: all } = await callCommand(['--help', 'all']);
  expect(common.split('\n').length).toBeLessThanOrEqual(55);
  const { options } = addCheckOptions(new Command());
  for (const { long } of options) expect(all).toContain(`  ${long}`);
  expect(all).toMatch(/^Limits:$[^]*^Network .*:$[^]*^Tiers /m);
});

test('lists every clause with its checks, or the reason why it has none', async () => {
  const { stdout } = await callCommand(['list', '--json']);
  const { clauses }: { clauses: { checks: string[]; notYet?: string }[] } = JSON.parse(stdout);
  expect(clauses.length).toBeGreaterThan(70);
  expect(clauses.filter(({ checks, notYet }) => checks.length === 0 && notYet === undefined)).toEqual([]);
});

test('exits 0 without an error given a reader that closes the pipe early', async () => {
  const list = spawnCommand(['list']);
  list.stdout?.destroy();
  expect(await resultOf(list)).toMatchObject({ code: 0, stderr: '' });
});

test('exits 2 with one line, and serves nothing, given two defects', async () => {
  const { code, stdout, stderr } = await callCommand([
    'mock',
    '--defect',
    'n-allowed',
    '--defect',
    'top-p-allowed',
  ]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .*--defect.* Give it only once \(already given: n-allowed\)\.\n$/);
});

test('explains a clause, and exits 2 with the nearest names given an unknown one', async () => {
  expect(await callCommand(['explain', 'STR-2'])).toMatchObject({ code: 0, stderr: '' });
  const { code, stderr } = await callCommand(['explain', 'STRR-2']);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/^error: .+did you mean STR-2.*\n$/),
  });
});

test('checks the mock in a process of its own and writes the report given no base URL', async () => {
  const out = join(folder, 'made', 'reports');
  const args = ['--only', 'REQ-6,AUTH-1', '--runs', '2', '--seed', '5', '--report', out];
  const { code, stdout, stderr } = await runCommand(args);
  expect(stderr).toContain('seed 5\n');
  expect(stdout).toContain('(mock), seed 5');
  const report: object = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    format: 'chat-conformance/report',
    version: 1,
    seed: 5,
    target: { kind: 'mock' },
  });
  expect(code).toBe(0);
});

/** The line that the mock prints when it is ready. */
async function readyLine(stdout: Readable | null): Promise<{ url: string; keys: { primary: string } }> {
  if (stdout === null) throw new Error('no pipe');
  const [line]: string[] = await once(createInterface({ input: stdout }), 'line');
  return JSON.parse(line ?? '');
}

test('checks a mock that was started separately, whose key nothing shows', async () => {
  const mock = spawnCommand(['mock', '--port', '0', '--seed', '3']);
  onTestFinished(() => void mock.kill());
  const { url, keys } = await readyLine(mock.stdout);
  const args = ['--base-url', `${url}/`, '--only', 'REQ-6,AUTH-1', '--report', join(folder, 'live')];
  const { code, stdout, stderr } = await runCommand(args, { CHAT_API_KEY: keys.primary });
  expect(stdout).toContain(`${url} (live)`);
  expect(code).toBe(0);
  const report = readFileSync(join(folder, 'live', 'report.json'), 'utf8');
  expect(stdout + stderr + report).not.toContain(keys.primary);
});

/** Gives every request the same answer, which contains terminal control characters. */
function serveAnything(response: ServerResponse): void {
  const message = { role: 'assistant', content: 'Hello. \u001b[2J\u202e' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const answer = { data: [{ id: 'any-1' }], choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

test('exits 1 with all the evidence, fit for a terminal, given a target that violates a clause', async () => {
  const { origin } = await serverOf(serveAnything);
  const args = ['--base-url', `${origin}/v1`, '--only', 'REQ-6', '--seed', '9', '--quiet'];
  const { code, stdout } = await callCommand(args, { CHAT_API_KEY: KEY });
  expect(code).toBe(1);
  for (const part of [
    'REQ-6 (stated)',
    'differs only in',
    'curl -sS',
    '--seed 9 --only',
    'Outcome: violations',
  ]) {
    expect(stdout).toContain(part);
  }
  expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  expect(stdout).not.toContain(KEY);
});

test('exits 3 given a cap that ends the run early, and 1 with --fail-on not-exercised', async () => {
  const capped = ['--only', 'REQ-6,RES-1', '--max-requests', '4', '--quiet'];
  expect(await callCommand(capped)).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('Outcome: incomplete'),
  });
  const strict = await callCommand([...capped, '--fail-on', 'not-exercised']);
  expect(strict).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Failed on not-exercised: .*REQ-6/),
  });
});

test('ends a mock with exit code 0 once the process that forked it is gone', async () => {
  const mock = fork(COMMAND, ['mock', '--port', '0'], { execArgv: [], silent: true });
  await readyLine(mock.stdout);
  const ended = once(mock, 'exit');
  mock.disconnect();
  expect((await ended)[0]).toBe(0);
});

test('exits 130 given Ctrl-C, once the requests in flight have ended', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const { origin } = await serverOf(arrived.resolve);
  const run = spawnCommand(['--base-url', `${origin}/v1`], { CHAT_API_KEY: KEY });
  const result = resultOf(run);
  const response = await arrived.promise;
  run.kill('SIGINT');
  run.stderr?.once('data', () => refuseKey(response));
  const { code, stderr } = await result;
  expect(code).toBe(130);
  expect(stderr).toContain('Ctrl-C again');
});

test('exits 130 at once given Ctrl-C twice', async () => {
  const arrived = Promise.withResolvers<unknown>();
  const { origin } = await serverOf(arrived.resolve);
  const run = spawnCommand(['--base-url', `${origin}/v1`, '--quiet'], { CHAT_API_KEY: KEY });
  const result = resultOf(run);
  await arrived.promise;
  run.stderr?.once('data', () => run.kill('SIGINT'));
  run.kill('SIGINT');
  expect((await result).code).toBe(130);
});
