import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { callCommand } from '../support/command.ts';
import { type ErringService, startErringService } from '../support/erring-service.ts';
import { sharedFolder, temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

const finished = sharedFolder();
let service: ErringService;

async function run(report: string, ...more: readonly string[]): Promise<void> {
  await callCommand(['--base-url', service.baseUrl, '--quiet', '--report', report, ...more], KEY);
}

/** A run of REQ-6 against a service that serves everything. */
beforeAll(async () => {
  service = await startErringService(undefined, afterAll);
  await run(finished, '--only', 'REQ-6', '--seed', '8');
});

/** A copy of that run for one test. */
function finishedRun(): string {
  const report = join(temporaryFolder(), 'out');
  cpSync(finished, report, { recursive: true });
  return report;
}

test('writes the report of a run again, and sends nothing', async () => {
  const { baseUrl, arrivals } = service;
  const before = arrivals.length;
  const other = join(temporaryFolder(), 'made', 'again');
  const { code, stdout, stderr } = await callCommand(['report', finished, '--report', other]);
  expect(stdout).toContain('again     chat-conformance --base-url ');
  expect(stdout).toContain('"Authorization: Bearer $CHAT_API_KEY"');
  expect(stderr).toContain(
    `if you run the curl lines, they send the keys from the variables and files that they name to ${baseUrl}\n`,
  );
  expect([code, readReport(other)]).toEqual([1, readReport(finished)]);
  expect(arrivals).toHaveLength(before);
});

test('judges a run again with --rejudge, and names each verdict that changed', async () => {
  const report = finishedRun();
  const again = join(temporaryFolder(), 'again');
  expect((await callCommand(['report', '--rejudge', report, '--report', again])).code).toBe(1);
  // Checks that were not selected then are not exercised; rejudging adds nothing else.
  const [then, now] = [readReport(report), readReport(again)];
  const ids = new Set(then.checks.map(({ id }) => id));
  expect(now.checks.filter(({ id }) => ids.has(id))).toEqual(then.checks);
  expect([now.outcome, now.spent, now.startedAt]).toEqual([then.outcome, then.spent, then.startedAt]);

  const file = join(report, 'journal.ndjson');
  const held = readFileSync(file, 'utf8').replaceAll(
    /\{"kind":"violated","finding":\{[^}]*\}\}/g,
    '{"kind":"holds"}',
  );
  writeFileSync(file, held);
  const { code, stderr } = await callCommand(['report', '--rejudge', report, '--quiet']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Worse\n(?: {2}\S.+\n {6}.+\n)* {2}unheard-of-field-refused: pass → fail\n {6}expected .+$/m,
  );
});

test('names no command of a journal, and quotes what it calls a stimulus', async () => {
  const report = temporaryFolder();
  await run(report, '--tier', 'smoke', '--seed', '8');
  const journal = join(report, 'journal.ndjson');
  const [first = '', ...lines] = readFileSync(journal, 'utf8').split('\n');
  const kind = /--send ([a-z-]+)/.exec(readFileSync(join(report, 'report.json'), 'utf8'))?.[1];
  expect(kind).toBeDefined();
  const renamed = lines.map((line) => line.replaceAll(`"${kind}/`, '"x;`id`/'));
  const hostile = JSON.stringify({ ...JSON.parse(first), again: 'chat-conformance --start evil; id' });
  writeFileSync(journal, [hostile, ...renamed].join('\n'));
  const out = join(temporaryFolder(), 'again');
  const { stdout } = await callCommand(['report', journal, '--report', out]);
  const whole = readReport(join(out, 'report.json')).checks.flatMap(({ again = [] }) => again);
  expect(whole.length).toBeGreaterThan(5);
  const plain = `chat-conformance --base-url ${service.baseUrl} --seed 8 `;
  expect(whole.filter((line) => !line.startsWith(plain))).toEqual([]);
  expect(whole.filter((line) => line.includes('x;`id`'))).not.toEqual([]);
  expect(whole.join('\n').replaceAll(/'[^']*'/g, '')).not.toMatch(/[;`$]/);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  for (const text of [stdout, page]) expect(text).not.toContain('--start evil');
});
