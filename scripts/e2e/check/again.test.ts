import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123', X_TEAM: 'blue' };

/** The arguments of a command line whose words need no quotes, but for headers from the environment. */
function argumentsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', '').replace('$X_TEAM', KEY.X_TEAM));
}

test('names for each failure a command that judges just this check, and sends only what it takes', async () => {
  // Serves everything, and fails at unknown fields, which an invariant sees.
  const service = await startErringService(({ body }, response) => {
    if (!body.includes('unheard_of')) return false;
    response.writeHead(500).end('oops');
    return true;
  });
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', service.baseUrl, '--header', 'x-team: blue', '--seed', '8', '--report', report];
  const { code, stdout } = await callCommand(args, KEY);
  expect(code).toBe(1);
  const failed = readReport(report).checks.filter(({ verdict }) => verdict === 'fail');
  const page = readFileSync(join(report, 'report.html'), 'utf8');
  for (const { id, again = '', evidence } of failed) {
    expect(stdout).toContain(`again     ${again}`);
    expect(page).toContain(`--only ${id}<br />`);
    expect(evidence[0]?.curl).toContain('-H "x-team: $X_TEAM"');
  }
  expect(failed.find(({ id }) => id === 'never-fails')?.again).toMatch(/--send [a-z-]+ --only never-fails$/);
  const some = failed.filter(({ id }, i) => i % 6 === 0 || id === 'never-fails');
  expect(some.length).toBeGreaterThan(2);
  for (const { id, again = '' } of some) {
    const before = service.arrivals.length;
    const folder = join(temporaryFolder(), 'again');
    const result = await callCommand([...argumentsOf(again), '--report', folder, '--quiet'], KEY);
    const { checks } = readReport(folder);
    expect([result.code, checks.map((each) => [each.id, each.verdict])]).toEqual([1, [[id, 'fail']]]);
    expect(service.arrivals.length - before).toBeLessThan(60);
  }
});
