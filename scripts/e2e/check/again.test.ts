import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123', X_TEAM: 'blue' };

/** The arguments of a command line whose words need no quotes, but for headers from the environment. */
function argumentsOf(line: string): readonly string[] {
  const words = line.match(/"[^"]*"|\S+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll('"', '').replace('$X_TEAM', KEY.X_TEAM));
}

/** A default run against a service that serves everything, and answers a GET of its models with a key in no case. */
async function failedRun() {
  const service = await startErringService();
  const report = join(temporaryFolder(), 'out');
  const args = ['--base-url', service.baseUrl, '--header', 'x-team: blue', '--seed', '8', '--report', report];
  const { code, stdout } = await callCommand(args, KEY);
  expect(code).toBe(1);
  return { service, report, stdout };
}

test('names for each failure a command that judges just this check, and sends only what it takes', async () => {
  const { service, report, stdout } = await failedRun();
  const whole = readReport(report);
  const failed = whole.checks.filter(({ verdict }) => verdict === 'fail');
  expect(failed.length).toBeGreaterThan(10);
  const page = readFileSync(join(report, 'report.html'), 'utf8');
  for (const { id, again = '', evidence } of failed) {
    expect(stdout).toContain(`again     ${again}`);
    expect(page).toContain(`--only ${id}<br />`);
    expect(evidence[0]?.curl).toContain('-H "x-team: $X_TEAM"');
  }
  for (const { id, again = '' } of failed.filter((_, i) => i % 6 === 0)) {
    const before = service.arrivals.length;
    const folder = join(temporaryFolder(), 'again');
    const result = await callCommand([...argumentsOf(again), '--report', folder, '--quiet'], KEY);
    const { checks } = readReport(folder);
    expect({ id, code: result.code, judged: checks.map((each) => each.id) }).toEqual({
      id,
      code: 1,
      judged: [id],
    });
    expect(service.arrivals.length - before).toBeLessThan(60);
  }
});

test('judges an invariant alone on the kinds of requests that broke it', async () => {
  const service = await startErringService(({ body }, response) => {
    if (!body.includes('unheard_of')) return false;
    response.writeHead(500).end('oops');
    return true;
  });
  const report = join(temporaryFolder(), 'out');
  await callCommand(['--base-url', service.baseUrl, '--seed', '8', '--report', report], KEY);
  const { again = '' } = readReport(report).checks.find(({ id }) => id === 'never-fails') ?? {};
  expect(again).toMatch(/--send [a-z-]+ --only never-fails$/);
  const before = service.arrivals.length;
  const folder = join(temporaryFolder(), 'again');
  const { code } = await callCommand([...argumentsOf(again), '--report', folder], KEY);
  const { checks, clauses } = readReport(folder);
  expect([code, checks.map(({ id, verdict }) => [id, verdict])]).toEqual([1, [['never-fails', 'fail']]]);
  expect(clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['ERR-11']);
  expect(service.arrivals.length - before).toBeLessThan(40);
  // From the journal, which holds no ruling of another check.
  expect((await callCommand(['report', folder], KEY)).code).toBe(1);
});
