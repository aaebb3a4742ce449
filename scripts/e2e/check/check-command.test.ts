import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { serve } from '../../../suites/engine/test-support/service.ts';
import { addCheckOptions } from '../../cli/options/check-table.ts';
import { callCommand, resultOf, runCommand, spawnCommand } from '../support/command.ts';
import { refuseKey } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-that-nobody-must-see-0123456789' };

test('checks the mock in a process of its own and writes the report given no base URL', async () => {
  const out = join(temporaryFolder(), 'made', 'reports');
  const args = ['--only', 'REQ-6,AUTH-1', '--tier', 'smoke', '--seed', '5', '--report', out];
  const { code, stdout, stderr } = await runCommand(args);
  expect(stderr).toContain('seed 5\n');
  expect(stdout).toContain('(mock), seed 5');
  const head = { format: 'chat-conformance/report', version: 1, seed: 5, target: { kind: 'mock' } };
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))).toMatchObject(head);
  expect(code).toBe(0);
});

test('checks a live service, whose key nothing shows, and says where its journal is', async () => {
  const mock = await openMock();
  const { primary = '' } = mock.keys;
  const args = ['--base-url', `${mock.url}/`, '--only', 'REQ-6,AUTH-1', '--tier', 'smoke'];
  const folder = temporaryFolder();
  const { code, stdout, stderr } = await callCommand(args, { CHAT_API_KEY: primary }, folder);
  expect(code).toBe(0);
  expect(stdout).toContain(`${mock.url} (live)`);
  const [, report = ''] =
    /^journal and reports go to (chat-conformance-report\/[\dTZ.-]+)$/m.exec(stderr) ?? [];
  expect(stderr).toContain(`Written to ${report}: report.json `);
  const written = ['report.json', 'journal.ndjson'].map((name) =>
    readFileSync(join(folder, report, name), 'utf8'),
  );
  expect([stdout, stderr, ...written].join('')).not.toContain(primary);
});

/** Gives every request the same answer, which contains terminal control characters. */
function serveAnything(_: unknown, response: ServerResponse): void {
  const message = { role: 'assistant', content: 'Hello. \u001b[2J\u202e' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const answer = { data: [{ id: 'any-1' }], choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

test('exits 1 with all the evidence, fit for a terminal, given a target that violates a clause', async () => {
  const { baseUrl } = await serve(serveAnything);
  const args = ['--base-url', baseUrl, '--only', 'REQ-6', '--seed', '9', '--quiet'];
  const { code, stdout } = await callCommand(args, KEY);
  expect(code).toBe(1);
  const parts = ['REQ-6 (stated)', 'differs only in', 'curl -sS', '--seed 9 --only', 'Outcome: violations'];
  for (const part of parts) expect(stdout).toContain(part);
  expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  expect(stdout).not.toContain(KEY.CHAT_API_KEY);
});

test.each([
  ['once it begins', []],
  ['before it waits', ['--wait', '1']],
])('names the host that gets its keys before the first request %s', async (_what, args) => {
  const said: string[] = [];
  const written = vi.spyOn(process.stderr, 'write');
  const { origin } = await serve((arrival, response) => {
    said.push(written.mock.calls.join(''));
    refuseKey(arrival, response);
  });
  const control = `${origin}/control`;
  await callCommand(['--base-url', `${origin}/v1`, '--control-url', control, ...args], KEY);
  expect(said[0]).toContain(`checking ${origin}/v1, with its control API at ${control}\n`);
});

test('exits 0 with the version, and with one screen of help that names every exit code', async () => {
  const version = { code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) };
  expect(await callCommand(['--version'])).toMatchObject(version);
  const { code, stdout } = await callCommand(['--help']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /0 conformant.+1 violations.+2 wrong usage[^]+3 incomplete.+4 target unreachable.+130/,
  );
  expect(stdout.split('\n').length).toBeLessThanOrEqual(55);
});

test('prints every option where help is asked for all', async () => {
  const { stdout: all } = await callCommand(['--help', 'all']);
  const { options } = addCheckOptions(new Command());
  for (const { long } of options) expect(all).toContain(`  ${long}`);
  expect(all).toMatch(/^Limits:$[^]*^Network .*:$[^]*^Tiers /m);
});

test('lists every clause with its checks, and explains one', async () => {
  const { stdout } = await callCommand(['list', '--json']);
  const { clauses }: { clauses: { checks: string[] }[] } = JSON.parse(stdout);
  expect(clauses.length).toBeGreaterThan(70);
  expect(clauses.filter(({ checks }) => checks.length === 0)).toEqual([]);
  expect(await callCommand(['explain', 'STR-2'])).toMatchObject({ code: 0, stderr: '' });
});

test('exits 0 without an error given a reader that closes the pipe early', async () => {
  const list = spawnCommand(['list']);
  list.stdout?.destroy();
  expect(await resultOf(list)).toMatchObject({ code: 0, stderr: '' });
});
