import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { jsonReport } from '../../../suites/engine/reports/json-report.ts';
import { SUMMARY, TROUBLED } from '../../../suites/engine/test-support/summary.ts';
import { callCommand } from '../support/command.ts';
import { sharedFolder } from '../support/journalled-run.ts';

const folder = sharedFolder();

function folderOf(name: string, summary: Summary): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'report.json'), jsonReport(summary));
  return join(folder, name);
}

const good = folderOf('good', SUMMARY);
const bad = folderOf('bad', TROUBLED);

test('exits 1 and prints the changes given a report with a worse verdict', async () => {
  const { code, stdout, stderr } = await callCommand(['diff', good, join(bad, 'report.json')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^before: .*good \(2.*Z, http:\/\/127\.0\.0\.1:1\/v1, 1 check\)\nafter: .*bad\/report\.json \(/,
  );
  expect(stdout).toContain('unknown-field-refused: pass → fail');
  expect(stdout).toContain('accepted the field n');
});

test('exits 0 and prints the changes as JSON given only improvements', async () => {
  const { code, stdout } = await callCommand(['diff', bad, good, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    checks: [{ id: 'unknown-field-refused', direction: 'better' }],
  });
});
