import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readJournal } from '../../../suites/kit/journal/read-journal.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'localhost-team-7f3a9c21' };
const HEADER = ['--header', 'x-gateway-secret: my-gateway-secret-5'];

test('runs, reports and replays with a key like the base URL and a secret like the name of its header', async () => {
  const service = await startErringService();
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
  const report = join(temporaryFolder(), 'out');
  const only = ['--only', 'unheard-of-field-refused', '--seed', '8', '--quiet'];
  const run = await callCommand(['--base-url', baseUrl, ...only, ...HEADER, '--report', report], KEY);
  expect([run.code, run.stderr]).toEqual([1, expect.not.stringContaining('error')]);
  const { target } = readJournal(join(report, 'journal.ndjson')).run;
  expect(target).toMatchObject({ baseUrl, headers: ['x-gateway-secret'] });
  expect(JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')).target.baseUrl).toBe(baseUrl);
  const replay = await callCommand(['replay', report, 'unheard-of-field-refused', ...HEADER], KEY);
  expect([replay.code, replay.stdout.trimEnd().split('\n').at(-1)]).toEqual([1, 'still fails']);
  expect(service.arrivals.every(({ headers }) => headers['x-gateway-secret'] === 'my-gateway-secret-5')).toBe(
    true,
  );
  const written = run.stdout + replay.stdout + readFileSync(join(report, 'journal.ndjson'), 'utf8');
  expect(written).not.toContain(KEY.CHAT_API_KEY);
  expect(written).not.toContain('my-gateway-secret-5');
});
