import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMock } from '../../../mock-server/test-support/open-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { callCommand, type CommandResult } from '../support/command.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const NOBODY = 'http://127.0.0.1:1/v1';

/** A folder with a configuration of two mocks, of which the second breaks REQ-6, and of a service that does not answer. */
async function project() {
  const good = await openMock({ control: true });
  const bad = await openMock({ control: true, defect: 'unknown-fields-stripped' });
  const folder = temporaryFolder();
  const keys = { primary: { env: 'A_KEY' } };
  const targets = {
    staging: { baseUrl: good.url, keys },
    production: { baseUrl: bad.url, keys },
    gone: { baseUrl: NOBODY, keys },
    locked: { baseUrl: NOBODY, keys: { primary: { env: 'NO_KEY' } } },
  };
  const settings = { only: ['REQ-6', 'MOD-1'], tier: 'smoke', targets };
  writeFileSync(join(folder, 'chat-conformance.config.json'), JSON.stringify(settings));
  const A_KEY = good.keys['primary'] ?? '';
  return {
    folder,
    sent: () => [good, bad].map(({ sandboxes }) => sandboxes.root.journal?.came),
    run: (args: string, more: Readonly<Record<string, string>> = {}): Promise<CommandResult> =>
      callCommand(args.split(' ').filter(Boolean), { A_KEY, ...more }, folder),
    rows: () => readFileSync(join(folder, 'out', 'matrix.md'), 'utf8').split('\n'),
  };
}

test('gives each target its reports, shows the clauses side by side, and ends with the worst code', async () => {
  const { folder, run, rows } = await project();
  const { code, stdout, stderr } = await run('--target staging,gone,production --report out --quiet');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /— staging, 1 of 3 —[^]*— gone, 2 of 3 —[^]*connection refused[^]*— production, 3 of 3 —/,
  );
  const reports = ['staging', 'gone', 'production'].map((name) => readReport(join(folder, 'out', name)));
  expect(reports.map(({ outcome }) => outcome)).toEqual(['conformant', 'incomplete', 'violations']);
  expect(new Set(reports.map(({ seed }) => seed)).size).toBe(1);
  const row = /^\| REQ-6 +\| pass +\| – +\| fail +\| A request with a field/m;
  expect(stdout).toMatch(row);
  expect(stdout).not.toContain('| MOD-1');
  expect(rows().join('\n')).toMatch(row);
  expect(rows()).toContainEqual(expect.stringMatching(/^\| MOD-1 +\| pass +\| – +\| pass/));
});

test.each(['LIM-1', 'large-input-plus-output'])(
  'explains what a target would be sent for %s',
  async (name) => {
    const { run, sent } = await project();
    const { code, stdout } = await run(`explain ${name} --target staging`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}example [^]*\n\nNothing was sent\. [^]* LIM-1.*: needs --allow costly/);
    expect(sent()).toEqual([0, 0]);
  },
);

test('compares the latest runs of two targets by their names', async () => {
  const { folder, run } = await project();
  expect((await run('diff staging production')).stderr).toMatch(
    /^error: the target staging has no report here: .*chat-conformance --target staging creates one; with --report DIR, name its folder\n$/,
  );
  expect((await run('', { CHAT_TARGET: 'staging, production' })).code).toBe(1);
  const ofTargets = [/-staging$/, /-production$/].map((name) => expect.stringMatching(name));
  const kept = readdirSync(join(folder, 'chat-conformance-report'));
  expect(kept).toEqual(expect.arrayContaining([...ofTargets, 'matrix.md']));
  const { code, stdout } = await run('diff staging production');
  expect([code, stdout]).toEqual([1, expect.stringMatching(/unheard-of-field-refused: pass → fail/)]);
  const unknown = await run('diff staging nobody');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('no target "nobody" (its targets are staging, production, gone, locked)'),
  ]);
});

test.each([
  ['--target staging,stagin', /no target "stagin" \(its targets are staging, production, gone, locked\)/],
  ['--target staging,production --watch', /--watch needs one target: --target names 2/],
  ['--target staging,production --base-url http://127.0.0.1:1/v1', /--base-url needs one target/],
  ['--target staging,production --api-key-file key', /--api-key-file needs one target/],
  ['--target staging,locked', /NO_KEY/],
  ['--target staging,staging', /--target names a target twice/],
  ['--target staging,', /is empty: it must name a target/],
])('sends nothing, and ends with code 2 and one line, given %s', async (args, message) => {
  const { folder, run, sent } = await project();
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^error: .+\n$/)]);
  expect(stderr).toMatch(message);
  expect([sent(), readdirSync(folder)]).toEqual([[0, 0], ['chat-conformance.config.json']]);
});

test('shows the kept runs of a target, drops a broken line of its history, and keeps that of other targets', async () => {
  const { folder, run } = await project();
  const page = (): string => readFileSync(join(folder, 'out', 'report.html'), 'utf8');
  await run('--target staging --report out --history past.ndjson --quiet');
  expect(page()).not.toContain('History');
  const file = join(folder, 'past.ndjson');
  const [line = ''] = readFileSync(file, 'utf8').split('\n');
  const other = line.replace(/"target":"[^"]+"/, '"target":"other"');
  // REQ-6 failed in an earlier run.
  const failed = line
    .replace('"pass":[', '"fail":["REQ-6"],"pass":[')
    .replace(/("pass":\[.*)"REQ-6",?/, '$1');
  writeFileSync(file, `${line.slice(0, 40)}\n{}\n${other}\n${failed.replace('conformant', 'violations')}\n`);
  await run('--target staging --report out --history past.ndjson --quiet');
  expect(page()).toMatch(/: violations">✘<\/abbr>[^]*: conformant">✔<\/abbr>/);
  expect(page()).toContain('<td>fail → pass</td>');
  expect(readFileSync(join(folder, 'out', 'summary.md'), 'utf8')).toContain('✘ ✔ (2 runs since ');
  const kept = readFileSync(file, 'utf8').trim().split('\n');
  expect(kept.map((each) => /"target":"(?:other|http)/.exec(each)?.[0])).toEqual([
    '"target":"other',
    '"target":"http',
    '"target":"http',
  ]);
});
