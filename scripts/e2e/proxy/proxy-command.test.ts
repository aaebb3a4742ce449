import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { type MockOptions, startMock } from '../../../mock-server/start-mock.ts';
import { resolveProxyOptions } from '../../cli/proxy/proxy-options.ts';
import { callCommand, type CommandResult, resultOf, spawnCommand } from '../support/command.ts';

interface Running {
  readonly url: string;
  readonly control: string;
  readonly key: string;
  readonly out: string;
  readonly child: ChildProcess;
  /** Ends it with a signal, and resolves with what it printed. */
  readonly end: (signal: NodeJS.Signals) => Promise<CommandResult>;
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'proxy-command-test-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The command before a mock, listening. */
async function running(
  mocked: MockOptions = {},
  environment: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<Running> {
  const mock = await startMock(mocked);
  onTestFinished(() => mock.close());
  const out = join(folder(), 'out');
  const child = spawnCommand(['proxy', '--target', mock.url, '--report', out, ...more], environment);
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('it has no stdout');
  const result = resultOf(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, control, target }: Record<'url' | 'control' | 'target', string> = JSON.parse(String(line));
  expect(target).toBe(mock.url);
  const end = (signal: NodeJS.Signals): Promise<CommandResult> => {
    child.kill(signal);
    return result;
  };
  return { url, control, key: Object.values(mock.keys)[0] ?? '', out, child, end };
}

/** One chat, as a faithful caller sends it. */
async function chat({ url, key }: Running, more: object = {}, model?: string): Promise<Response> {
  const authorization = `Bearer ${key}`;
  const listing = await fetch(`${url}/models`, { headers: { authorization } });
  const listed: { data: { id: string }[] } = JSON.parse(await listing.text());
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({
      model: model ?? listed.data[0]?.id,
      messages: [{ role: 'user', content: 'Hello!' }],
      max_tokens: 8,
      ...more,
    }),
  });
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ends with every report and code 0 on %s, and shows no key',
  async (signal) => {
    const proxy = await running();
    expect((await chat(proxy)).status).toBe(200);
    const { code, stdout, stderr } = await proxy.end(signal);
    expect(stdout).toContain('Outcome: conformant');
    expect(stdout).toMatch(/\(live\), what passed by$/m);
    expect(code).toBe(0);
    const files = readdirSync(proxy.out).toSorted();
    expect(files).toEqual(['journal.ndjson', 'junit.xml', 'report.html', 'report.json', 'summary.md']);
    const modes = ['.', ...files].map((name) => statSync(join(proxy.out, name)).mode & 0o777);
    expect(modes).toEqual([0o700, ...files.map(() => 0o600)]);
    const written = files.map((name) => readFileSync(join(proxy.out, name), 'utf8'));
    for (const text of [...written, stdout, stderr]) expect(text).not.toContain(proxy.key);
    expect(readFileSync(join(proxy.out, 'summary.md'), 'utf8')).not.toContain('seed');
  },
);

test('says what it finds while it runs, and ends with code 1', async () => {
  const proxy = await running();
  const { stderr } = proxy.child;
  if (stderr === null) throw new Error('it has no stderr');
  const said = once(createInterface({ input: stderr }), 'line');
  await chat(proxy, { top_k: 3 });
  expect(String((await said)[0])).toMatch(/^✘ five-fields-only \(CALL-4\): expected /);
  const { code, stdout } = await proxy.end('SIGINT');
  expect(stdout).toContain('Outcome: violations');
  expect(code).toBe(1);
});

test('says in one line what it is open to beyond this machine, and nothing on it', async () => {
  const { stderr } = await (await running({}, {}, ['--host', '0.0.0.0'])).end('SIGINT');
  const open = /^Whoever reaches http:\/\/0\.0\.0\.0:\d+ can send requests to http:\S+ through it$/m;
  expect(stderr).toMatch(open);
});

test('ends with code 3 if nothing passed', async () => {
  const { code, stdout, stderr } = await (await running()).end('SIGINT');
  expect(stderr).not.toContain('Whoever reaches');
  expect(stdout).toContain('no request passed');
  expect(code).toBe(3);
});

test('answers a report of what passed so far on its own path, which never reaches the service', async () => {
  const proxy = await running();
  await chat(proxy);
  const response = await fetch(proxy.control);
  const report: { outcome: string; spent: { requests: number } } = JSON.parse(await response.text());
  expect(report).toMatchObject({ outcome: 'conformant', spent: { requests: 2, completions: 1 } });
  const fromElsewhere = await fetch(proxy.control, { method: 'POST' });
  expect(fromElsewhere.status).toBe(405);
});

test('wants the token on its own path where one is given', async () => {
  const token = 'a-control-token';
  const { control, end } = await running({}, { CHAT_CONTROL_TOKEN: token });
  expect((await fetch(control)).status).toBe(403);
  expect((await fetch(control, { headers: { authorization: 'Bearer wrong-token' } })).status).toBe(403);
  expect((await fetch(control, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await end('SIGINT')).code).toBe(3);
});

test('keeps a journal from which the same report is made again, and which can be judged again', async () => {
  const proxy = await running();
  await chat(proxy);
  await proxy.end('SIGINT');
  const journal = join(proxy.out, 'journal.ndjson');
  expect(existsSync(journal)).toBe(true);
  for (const options of [[], ['--rejudge']]) {
    const { code, stdout } = await callCommand(['report', ...options, journal]);
    expect(stdout).toContain('Outcome: conformant');
    expect(stdout).not.toContain('seed');
    expect(code).toBe(0);
  }
});

test('refuses wrong usage with code 2 before it listens', async () => {
  const taken = await running();
  const port = Number(new URL(taken.url).port);
  const target = 'http://127.0.0.1:9/v1';
  for (const [flags, message] of [
    [{}, '--target is required'],
    [{ target: 'http://127.0.0.1:9' }, 'must end in the version segment'],
    [{ target, ca: '/nowhere' }, 'cannot read --ca'],
  ] as const)
    await expect(resolveProxyOptions(flags, {})).rejects.toThrow(message);
  const short = { CHAT_CONTROL_TOKEN: 'fifteen-letters' };
  await expect(resolveProxyOptions({ target, host: '0.0.0.0' }, short)).rejects.toThrow(
    'The control token must have 16 characters or more, without blanks, to listen on 0.0.0.0',
  );
  expect(await resolveProxyOptions({ target }, short)).toMatchObject({ token: 'fifteen-letters' });
  const { code, stderr } = await callCommand(['proxy', '--target', target, '--port', `${port}`]);
  expect(stderr).toContain(`cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
  expect(code).toBe(2);
  await taken.end('SIGINT');
});

test('ends with code 3 if a paid answer is in no file, and names its Idempotency-Key', async () => {
  const file = join(folder(), 'rome.ndjson');
  const proxy = await running({}, {}, ['--record', file, '--host', '0.0.0.0']);
  mkdirSync(file);
  const local = { ...proxy, url: proxy.url.replace('0.0.0.0', '127.0.0.1') };
  expect([(await chat(local)).status, (await chat(local)).status]).toEqual([200, 200]);
  const { code, stdout, stderr } = await proxy.end('SIGINT');
  expect(stderr).toContain(`record: cannot write ${file} (EISDIR): the answer to Idempotency-Key `);
  expect(stderr).toContain(`through it, and ask for what is in ${file}`);
  expect(stdout).toContain(`answers that may have been paid for, but are not in ${file}: 1`);
  expect(stdout).toContain(`chats that ${file} answered, which are not judged: 1`);
  expect(code).toBe(3);
});
