import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../service/project.ts';
import {
  callCommand,
  type CommandResult,
  listeningCommand,
  resultOf,
  spawnCommand,
} from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const NODE = process.execPath;

/** A caller that keeps the specification. */
const FAITHFUL = `
  const { CHAT_BASE_URL: url, CHAT_API_KEY } = process.env;
  const authorization = 'Bearer ' + CHAT_API_KEY;
  const { data } = await (await fetch(url + '/models', { headers: { authorization } })).json();
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const body = JSON.stringify({ model: data[0].id, messages: [{ role: 'user', content: 'Hello' }] });
  await fetch(url + '/chat/completions', { method: 'POST', headers, body });`;

function tried(program: string, ...options: readonly string[]): Promise<CommandResult> {
  const command = [NODE, '--input-type=module', '-e', program];
  return callCommand(['caller', '--scenario', 'plain-use', ...options, '--', ...command]);
}

test('exits 0 given a faithful caller, and writes the report', async () => {
  const out = join(temporaryFolder(), 'out');
  const { code, stdout } = await tried(FAITHFUL, '--report', out, '--seed', '7');
  expect(stdout).toContain('Outcome: conformant');
  expect(code).toBe(0);
  const report: { format: string; target: { kind: string }; clauses: { bound: string }[] } = JSON.parse(
    readFileSync(join(out, 'report.json'), 'utf8'),
  );
  expect(report).toMatchObject({ format: 'chat-conformance/report', target: { kind: 'caller' }, seed: 7 });
  expect(report.clauses).toHaveLength(12);
  expect(report.clauses.filter(({ bound }) => bound !== 'caller')).toEqual([]);
});

test('exits 1 given a caller that breaks a clause, and prints what it sent and the command that repeats it', async () => {
  const { code, stdout } = await tried(FAITHFUL.replace("'idempotency-key'", "'x-key'"), '--seed', '7');
  expect(code).toBe(1);
  expect(stdout).toMatch(/✘ fresh-key-per-request[^]*scenario plain-use[^]*» +\d+\.\d{3} s {2}#2 POST/);
  expect(stdout).toContain('caller --scenario plain-use --seed 7 -- ');
});

test('repeats every scenario that shows the reused key, and prints no secret of the command of the caller', async () => {
  const program = FAITHFUL.replace('crypto.randomUUID()', "'request-1'");
  const options = ['--scenario', 'plain-use,unavailable', '--seed', '7'];
  const command = [NODE, '--input-type=module', '-e', program, '--', '--api-key', 'a-key-of-the-user'];
  const { code, stdout } = await callCommand(['caller', ...options, '--', ...command]);
  expect(code).toBe(1);
  expect(stdout).toContain('the key of #2 in plain-use');
  expect(stdout).toContain('caller --scenario plain-use,unavailable --seed 7 -- ');
  expect(stdout).not.toContain('a-key-of-the-user');
});

test('passes the base URL and the key under other names too, and no secret of the user', async () => {
  const program = FAITHFUL.replace(
    'CHAT_BASE_URL: url, CHAT_API_KEY',
    'MY_URL: url, MY_KEY: CHAT_API_KEY',
  ).concat("\nif (Object.values(process.env).includes('a-secret-of-the-user')) throw new Error('not mine');");
  const args = ['caller', '--scenario', 'plain-use', '--env-base-url', 'MY_URL', '--env-key', 'MY_KEY', '--'];
  const command = [NODE, '--input-type=module', '-e', program];
  const names = ['SECOND_API_KEY', 'PROXY_AUTH', 'CONTROL_TOKEN', 'CONTROL_URL'];
  const secrets = Object.fromEntries(names.map((name) => [`CHAT_${name}`, 'a-secret-of-the-user']));
  const { code } = await callCommand([...args, ...command], secrets);
  expect(code).toBe(0);
});

test.each([
  ['sends nothing', '', 'plain-use: the caller sent no request'],
  ['fails to start', 'process.exit(2)', 'The command ended with exit code 2 before any request'],
  ['is ended by a signal', 'process.kill(process.pid, "SIGKILL")', 'plain-use: it was killed by SIGKILL'],
  [
    'writes an invalid record',
    `${FAITHFUL}
    const { appendFileSync } = await import('node:fs');
    appendFileSync(process.env.CHAT_RECORD, '{"wish":"wish-1","outcome":"served"}\\n{"wish":1}\\n');`,
    'plain-use: line 2 of CHAT_RECORD is not a record',
  ],
  ['crashes after all went well', `${FAITHFUL}\nthrow Error('late');`, ':8: Error: late'],
])('exits 3 given a caller that %s', async (_what, program, message) => {
  const { code, stdout } = await tried(program);
  expect(stdout).toContain(message);
  expect(stdout).toContain('Outcome: incomplete');
  expect(code).toBe(3);
});

test('hands over a listed model, prints the timeline of what passed, and fails on what was asked for', async () => {
  const program = FAITHFUL.replace('data[0].id', 'process.env.MY_MODEL');
  const { code, stdout } = await tried(program, '--env-model', 'MY_MODEL', '--timeline', '--verbose');
  expect({ code, outcome: stdout.includes('Outcome: conformant') }).toEqual({ code: 0, outcome: true });
  expect(stdout).toMatch(/plain-use: 2 requests, exit code 0[^]*#2 POST \/v1\/chat\/completions · vista-/);
  const strict = await tried(program, '--env-model', 'MY_MODEL', '--fail-on', 'not-exercised');
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/Failed on not-exercised: .*CALL-1 /);
});

test('plays one scenario at a time where asked, and says how many chats it takes to meet a fault', async () => {
  const lock = JSON.stringify(join(temporaryFolder(), 'lock'));
  const program = `
    import { mkdirSync, rmdirSync } from 'node:fs';
    mkdirSync(${lock});${FAITHFUL}
    rmdirSync(${lock});`;
  const scenarios = ['--scenario', 'rate-limited,unavailable'];
  const { code, stdout } = await tried(program, ...scenarios, '--concurrency', '1');
  expect(stdout).toContain('Outcome: conformant');
  expect(stdout).toMatch(
    /its fault \(rate_limit\) never triggered: it needs a caller that sends\s+more\s+than\s+3\s+chats/,
  );
  expect(code).toBe(0);
});

test('stops a caller that runs too long, with every process that it started', async () => {
  const file = join(temporaryFolder(), 'pids');
  const stray = `process.on('SIGTERM', () => {}); ${keepingItsId(file)}`;
  const program = `
    import { spawn } from 'node:child_process';
    process.on('SIGTERM', () => {});
    for (const stdio of ['ignore', 'inherit'])
      spawn(${JSON.stringify(NODE)}, ['-e', ${JSON.stringify(stray)}], { stdio });
    setInterval(() => {}, 1000);`;
  const { code, stdout } = await tried(program, '--deadline', '3');
  expect(stdout).toContain('plain-use: it had not ended after 3 s, and was stopped');
  expect(code).toBe(3);
  expect(idsIn(file)).toHaveLength(2);
  await expect.poll(() => idsIn(file).filter(isAlive)).toEqual([]);
});

/** A program that writes its process ID down, and runs on. */
function keepingItsId(file: string): string {
  return `require('fs').appendFileSync(${JSON.stringify(file)}, process.pid + ' '); setInterval(() => {}, 1000);`;
}

function idsIn(file: string): readonly number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : [];
}

test('stops the callers of all scenarios that are played, and exits 130 given Ctrl-C', async () => {
  const file = join(temporaryFolder(), 'pids');
  const child = spawnCommand(['caller', '--', NODE, '-e', keepingItsId(file)]);
  const result = resultOf(child);
  await expect.poll(() => idsIn(file), { timeout: 20_000 }).toHaveLength(3);
  child.kill('SIGINT');
  expect((await result).code).toBe(130);
  await expect.poll(() => idsIn(file).filter(isAlive)).toEqual([]);
});

test('shows no key, whatever a caller does with it', async () => {
  const out = join(temporaryFolder(), 'out');
  const program = `
    const { CHAT_BASE_URL: url, CHAT_API_KEY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key, 'idempotency-key': key, 'x-key': key };
    await fetch(url + '/chat/completions?key=' + key, { method: 'POST', headers, body: key });
    console.error(key);
    throw new Error(key);`;
  const { stdout, stderr } = await tried(program, '--report', out, '--seed', '7');
  const written = readFileSync(join(out, 'report.json'), 'utf8');
  expect(stdout).toContain('key-on-server-side');
  expect([stdout, stderr, written].filter((text) => /mock-\w{40}/.test(text))).toEqual([]);
});

test('serves a mock that judges its callers, and prints the verdicts at the end', async () => {
  const { ready, end } = await listeningCommand(['mock', '--judge']);
  const { url, control, keys } = ready;
  await fetch(`${url}/models`, { headers: { authorization: `Bearer ${keys['primary']}` } });
  expect(await (await fetch(`${control}/judge`)).text()).toContain('"kind":"caller"');
  const { code, stderr } = await end();
  expect(stderr).toMatch(/1 passed[^]*CALL-7/);
  expect(stderr).toContain('it sent no chat completion');
  expect(stderr).toContain('Outcome: incomplete');
  expect(code).toBe(3);
});
