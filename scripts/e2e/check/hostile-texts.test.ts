import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../../suites/engine/test-support/service.ts';
import { REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { callCommand, type CommandResult } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const JOB = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123', GITHUB_ACTIONS: 'true' };

/** What writes to the clipboard, colours, turns the direction of writing, or commands a runner. */
const HOSTILE =
  'a\n::set-output name=outcome::conformant\n\u001b]52;c;eA==\u0007 ##[add-mask]e \u202e\n  ::error::e\u009b31m';

/** What was printed holds no control characters but ends of lines, and no workflow command but our annotations. */
function expectHarmless({ stdout, stderr }: CommandResult): void {
  const text = stdout + stderr;
  // oxlint-disable-next-line eslint/no-control-regex -- that is the question
  expect(text.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]|##\[/g)).toBeNull();
  expect(text.match(/^\s*::(?!(?:error|warning|notice) (?:title|file)=).*$/gm)).toBeNull();
}

async function startService(status: number, headers: OutgoingHttpHeaders, body: string): Promise<string> {
  return (await serve((_, response) => response.writeHead(status, headers).end(body))).baseUrl;
}

test.each([
  [302, { location: "http://h/$(id)';id;'/v1/models" }],
  [429, { 'retry-after': '\u009b31m ##[error]', server: '##[error]' }],
])('prints a first answer of status %i harmlessly, and no command of it', async (status, headers) => {
  const baseUrl = await startService(status, headers, HOSTILE);
  const result = await callCommand(['--base-url', baseUrl, '--no-config'], JOB);
  expect(result.code).toBe(4);
  expectHarmless(result);
  expect(result.stderr).not.toMatch(/--base-url http:\S*\$\(/);
});

test.each(['config', 'profile', 'baseline'])('prints what is wrong in a %s harmlessly', async (what) => {
  const file = join(temporaryFolder(), 'hostile.json');
  writeFileSync(file, JSON.stringify({ format: `chat-conformance/${what}`, version: 1, [HOSTILE]: 1 }));
  const args = what === 'config' ? [] : ['--base-url', 'http://127.0.0.1:1/v1'];
  const result = await callCommand([...args, `--${what}`, file], JOB);
  expect([result.code, result.stderr]).toEqual([2, expect.stringMatching(/^error: \S*hostile\.json.*\n$/)]);
  expectHarmless(result);
});

test('follows no link that lies where a report is first written', async () => {
  const report = temporaryFolder();
  const victim = join(report, 'victim');
  const names = REPORT_FILES.map((name) => `${name}.${process.pid}.tmp`);
  for (const name of [...names, `.writable-${process.pid}`]) symlinkSync(victim, join(report, name));
  const result = await callCommand(['--only', 'RES-1', '--tier', 'smoke', '--report', report, '--quiet']);
  const written = expect.arrayContaining(['report.json', 'report.html']);
  expect([result.code, existsSync(victim), readdirSync(report)]).toEqual([0, false, written]);
});
