import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MockFlags } from '../../cli/options/command-tables.ts';
import { callCommand, COMPILE_CACHE } from '../support/command.ts';

const COMMAND = new URL('../../cli/mock/mock-command.ts', import.meta.url).href;

interface Spawned {
  readonly child: ChildProcess;
  /** All of stdout so far. */
  readonly output: () => string;
  readonly ended: Promise<{ code: unknown; stdout: string; stderr: string }>;
}

function spawnMock(options: MockFlags, environment: Record<string, string> = {}): Spawned {
  const program = `
    import { runMockCommand } from ${JSON.stringify(COMMAND)};
    process.exitCode = await runMockCommand(${JSON.stringify(options)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, stdout, stderr }));
  return { child, output: () => stdout, ended };
}

async function ready({ output }: Spawned): Promise<{
  url: string;
  keys: Record<string, string>;
  seed: number;
  pid: number;
  control?: string;
  ui?: string;
}> {
  await expect.poll(output, { timeout: 10_000 }).toContain('\n');
  return JSON.parse(output());
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'prints one ready line, drains on %s, and exits 0',
  async (signal) => {
    const spawned = spawnMock({ seed: 9, latency: 100 });
    const { url, keys, seed, pid } = await ready(spawned);
    expect({ seed, pid }).toEqual({ seed: 9, pid: spawned.child.pid });
    const response = fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json' },
      body: '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}',
    });
    await fetch(`${url}/models`);
    spawned.child.kill(signal);
    expect((await response).status).toBe(200);
    const { code, stdout, stderr } = await spawned.ended;
    expect(code).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stderr.split('\n')).toEqual([
      expect.stringContaining(url),
      `mock: stopping: ${signal}`,
      'mock: stopped',
      '',
    ]);
    for (const key of Object.values(keys)) expect(stderr).not.toContain(key);
  },
);

test('serves the world of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'world-'));
  const world = join(folder, 'world.json');
  await writeFile(
    world,
    JSON.stringify({ keys: [{ name: 'mine', key: 'k-1', workspace: 'main', scopes: [] }] }),
  );
  const spawned = spawnMock({ world });
  expect((await ready(spawned)).keys).toEqual({ mine: 'k-1' });
  spawned.child.kill('SIGTERM');
  expect((await spawned.ended).code).toBe(0);
  await rm(folder, { recursive: true });
});

test('exits 2 with one line given a world that cannot be read', async () => {
  expect(await spawnMock({ world: '/no/such/world.json' }).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'mock: /no/such/world.json: cannot be read (ENOENT)\n',
  });
});

test('exits 2 with one line given a port that is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, stdout, stderr } = await spawnMock({ port }).ended;
  server.close();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^mock: listen EADDRINUSE[^\n]*\n$/);
});

test('serves the control API and the inspector given --control, and prints their URLs', async () => {
  const spawned = spawnMock({ control: true, fault: ['rate_limit times=1', 'stall'] });
  const { url, control, ui } = await ready(spawned);
  expect([control, ui]).toEqual([url.replace('/v1', '/control'), url.replace('/v1', '/control/ui')]);
  expect((await fetch(ui ?? '')).headers.get('content-type')).toMatch(/^text\/html/);
  const faults: { unfired: string[] } = JSON.parse(await (await fetch(`${control}/faults`)).text());
  expect(faults.unfired).toEqual(['rule_1', 'rule_2']);
  spawned.child.kill('SIGTERM');
  expect((await spawned.ended).stderr).toContain('mock: rule_2 (stall at inside-body) never triggered\n');
});

test('writes a line for each request given --log, and opens the inspector with the program of the desktop given --open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opener-'));
  const opened = join(folder, 'opened');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 });
  const spawned = spawnMock({ log: 'json', control: true, open: true }, { PATH: folder });
  const { url, keys, ui } = await ready(spawned);
  await fetch(`${url}/models`, { headers: { authorization: `Bearer ${keys['primary']}` } });
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(`${ui}\n`);
  spawned.child.kill('SIGTERM');
  const { stderr } = await spawned.ended;
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'GET', path: '/v1/models', status: 200, key: 'primary', ended: 'answered' },
  ]);
  await rm(folder, { recursive: true });
});

test('arms the faults of a scenario after those of --fault, and prefers --seed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  const scenario = join(folder, 'scenario.json');
  await writeFile(scenario, JSON.stringify({ faults: [{ fault: 'rate_limit' }], seed: 5 }));
  const spawned = spawnMock({ scenario, control: true, seed: 6, fault: ['unknown_model'] });
  const { control, seed } = await ready(spawned);
  expect(seed).toBe(6);
  const faults: { rules: { fault: string }[] } = JSON.parse(await (await fetch(`${control}/faults`)).text());
  expect(faults.rules.map(({ fault }) => fault)).toEqual(['unknown_model', 'rate_limit']);
  spawned.child.kill('SIGTERM');
  expect((await spawned.ended).code).toBe(0);
  await rm(folder, { recursive: true });
});

test.each([
  [{ fault: ['timeout', 'time_out'] }, 'mock: --fault "time_out": /fault: no such fault'],
  [{ fault: ['timeout phase=never'] }, 'mock: --fault "timeout phase=never": /phase: '],
  [{ fault: ['timeout key=nobody'] }, 'mock: --fault "timeout key=nobody": /match/key: no key of this world'],
  [{ scenario: '/no/such.json' }, 'mock: /no/such.json: cannot be read (ENOENT)'],
  [{ open: true }, 'mock: --open requires --control'],
  [{ control: true, host: '0.0.0.0' }, 'mock: The control API needs a token to listen on 0.0.0.0'],
])('exits 2 with one line given %j', async (options, line) => {
  const { code, stdout, stderr } = await spawnMock(options).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.startsWith(line) && stderr.indexOf('\n') === stderr.length - 1).toBe(true);
});

test('gives the answers of --answer before those of a scenario, and names those never given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'scenario-'));
  const scenario = join(folder, 'scenario.json');
  const said = join(folder, 'said.txt');
  await writeFile(said, 'from a file\n');
  await writeFile(scenario, JSON.stringify({ answers: [{ file: 'said.txt' }, { text: 'third' }] }));
  const spawned = spawnMock({ scenario, answer: [`file=${said} times=1 unchecked=true`] });
  const { url, keys } = await ready(spawned);
  const ask = async (): Promise<unknown> => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys['primary']}`, 'content-type': 'application/json' },
      body: '{"model":"compact-1","messages":[{"role":"user","content":"a"}]}',
    });
    const { choices } = JSON.parse(await response.text());
    return choices[0].message.content;
  };
  expect([await ask(), await ask()]).toEqual(['from a file', 'from a file']);
  spawned.child.kill('SIGTERM');
  const { code, stderr } = await spawned.ended;
  expect(code).toBe(0);
  expect(stderr.split('\n').filter((line) => line.includes('answer_'))).toEqual([
    'mock: answer_1 is unchecked: it may break the specification',
    'mock: answer_3 (for {}) was never given',
  ]);
  await rm(folder, { recursive: true });
});

test.each([
  [
    'text= a',
    '--answer "text= a": NAME=VALUE is needed, with a value of more than one word in quotes: nothing is called a',
  ],
  ['text=""', '--answer "text=\\"\\"": /text: an empty answer breaks the specification'],
  ['file=/no/such', '--answer "file=/no/such": /file: /no/such cannot be read (ENOENT)'],
  ['text=a model=gpt', '--answer "text=a model=gpt": /match/model: no model of this world; it has '],
])('exits 2 with one line given --answer %s', async (line, problem) => {
  const { code, stdout, stderr } = await spawnMock({ answer: [line] }).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(problem) });
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test.each(['--record', '--recording'])(
  'exits 2 with one line given %s, which the proxy has',
  async (option) => {
    const { code, stdout, stderr } = await callCommand(['mock', option, 'http://127.0.0.1:9/v1']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*proxy --target URL --record FILE.*\n$/);
  },
);

test('names its defect on the ready line and on stderr', async () => {
  const spawned = spawnMock({ defect: 'top-p-allowed' });
  expect(await ready(spawned)).toMatchObject({ defect: 'top-p-allowed' });
  spawned.child.kill('SIGTERM');
  const line = 'mock: with the defect top-p-allowed, which breaks REQ-6: ';
  expect((await spawned.ended).stderr).toContain(line);
});

test('lists its defects, and serves nothing', async () => {
  const { code, stdout, stderr } = await spawnMock({ defect: 'list' }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^top-p-allowed +REQ-6: top_p stayed/m);
});

test.each([
  [
    { defect: 'top-p-allwed' },
    'mock: --defect: no defect is called "top-p-allwed": did you mean top-p-allowed',
  ],
  [
    { defect: 'top-p-allowed', variant: ['keys-ignored'] },
    'mock: --defect works only with the built-in world',
  ],
])('exits 2 with one line given %j, which cannot be served', async (options, line) => {
  const { code, stdout, stderr } = await spawnMock(options).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.startsWith(line) && stderr.indexOf('\n') === stderr.length - 1).toBe(true);
});

test('prints every fault with its fields, and starts nothing, given --help faults', async () => {
  const { code, stdout } = await callCommand(['mock', '--help', 'faults']);
  expect(code).toBe(0);
  expect(stdout).toContain('\nwrong_header\n');
  expect(stdout).toContain('\n  retry_after: ');
});
