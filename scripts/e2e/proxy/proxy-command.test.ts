import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { callCommand, type CommandResult, listeningCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

interface Running {
  readonly url: string;
  readonly key: string;
  readonly out: string;
  readonly child: ChildProcess;
  /** Ends it with a signal, and resolves with what it printed. */
  readonly end: (signal: NodeJS.Signals) => Promise<CommandResult>;
}

/** The command before a mock, listening. */
async function running(...more: readonly string[]): Promise<Running> {
  const mock = await openMock({});
  const out = join(temporaryFolder(), 'out');
  const args = ['proxy', '--target', mock.url, '--report', out, ...more];
  const { child, ready, end } = await listeningCommand(args);
  expect([ready.target, ready.pid]).toEqual([mock.url, child.pid]);
  const url = ready.url.replace('0.0.0.0', '127.0.0.1');
  return { url, key: mock.keys['primary'] ?? '', out, child, end };
}

/** One chat, as a faithful caller sends it. */
async function chat({ url, key }: Running, more: object = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const listing = await fetch(`${url}/models`, { headers });
  const listed: { data: { id: string }[] } = JSON.parse(await listing.text());
  const messages = [{ role: 'user', content: 'Hello!' }];
  return fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ model: listed.data[0]?.id, messages, max_tokens: 8, ...more }),
  });
}

/** A report, without what differs from one that is made later. */
function reportIn(out: string): unknown {
  const { tool: _tool, ...report } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
  return report;
}

test('ends with every report on SIGTERM, shows no key, and leaves a journal that gives the same report', async () => {
  const proxy = await running();
  expect((await chat(proxy)).status).toBe(200);
  const live = await callCommand(['report', proxy.out]);
  expect([live.code, live.stdout]).toEqual([
    3,
    expect.stringContaining('the proxy is still running or was killed'),
  ]);
  const { code, stdout, stderr } = await proxy.end('SIGTERM');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/\(live\), observed traffic$[^]*Outcome: conformant/m),
  ]);
  const files = readdirSync(proxy.out).toSorted();
  expect(files).toEqual(['journal.ndjson', ...REPORT_FILES].toSorted());
  const modes = ['.', ...files].map((name) => statSync(join(proxy.out, name)).mode & 0o777);
  expect(modes).toEqual([0o700, ...files.map(() => 0o600)]);
  const written = files.map((name) => readFileSync(join(proxy.out, name), 'utf8'));
  for (const text of [...written, stdout, stderr]) expect(text).not.toContain(proxy.key);
  const again = join(temporaryFolder(), 'again');
  const later = await callCommand(['report', '--report', again, proxy.out]);
  expect(later).toMatchObject({ code: 0, stdout: stdout.slice(stdout.indexOf('\n') + 1) });
  expect(reportIn(again)).toEqual(reportIn(proxy.out));
});

test('says what it finds while it runs, and ends with code 1 on SIGINT', async () => {
  const proxy = await running();
  const { stderr } = proxy.child;
  if (stderr === null) throw new Error('it has no stderr');
  const said = once(createInterface({ input: stderr }), 'line');
  await chat(proxy, { top_k: 3 });
  expect(String((await said)[0])).toMatch(/^✘ five-fields-only \(CALL-4\): expected /);
  const { code, stdout } = await proxy.end('SIGINT');
  expect([code, stdout]).toEqual([1, expect.stringContaining('Outcome: violations')]);
  const later = await callCommand(['report', proxy.out]);
  expect([later.code, later.stdout]).toEqual([1, expect.stringContaining('five-fields-only')]);
});

test('says what is open beyond this machine, and ends with code 3 if a paid answer is in no file', async () => {
  const file = join(temporaryFolder(), 'rome.ndjson');
  const proxy = await running('--record', file, '--host', '0.0.0.0');
  mkdirSync(file);
  expect((await chat(proxy)).status).toBe(200);
  const { code, stdout, stderr } = await proxy.end('SIGINT');
  expect(stderr).toMatch(/^Whoever reaches http:\/\/0\.0\.0\.0:\d+ can send requests to http:\S+$/m);
  expect(stderr).toMatch(
    /record: the answer to Idempotency-Key \S+ is not in .*: cannot write it \(EISDIR\)/,
  );
  expect(stdout).toContain(`answers that may have been paid for, but are not in ${file}: 1`);
  expect(code).toBe(3);
});
