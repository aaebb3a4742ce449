import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReport } from '../../../suites/kit/reporting/read-report.ts';
import { EXIT } from '../../cli/terminal/exit.ts';
import { callCommand, runCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { temporaryFolder } from '../support/journalled-run.ts';

const KEY = { CHAT_API_KEY: 'sk-a-key-of-a-test-0123' };

async function finishedRun(): Promise<string> {
  const { baseUrl } = await startErringService();
  const report = join(temporaryFolder(), 'out');
  await callCommand(
    ['--base-url', baseUrl, '--only', 'REQ-6', '--seed', '8', '--quiet', '--report', report],
    KEY,
  );
  return report;
}

test.each([[], ['--rejudge']])(
  'report %j writes the report of the run again, without a request',
  async (...options) => {
    const report = await finishedRun();
    const written = readFileSync(join(report, 'report.json'), 'utf8');
    const other = join(temporaryFolder(), 'made', 'again');
    const { code, stdout } = await runCommand(['report', ...options, report, '--report', other]);
    expect(code).toBe(1);
    expect(stdout).toContain('again     chat-conformance --base-url ');
    // Checks that were not selected then are not exercised; rejudging adds nothing else.
    const [then, now] = [written, readFileSync(join(other, 'report.json'), 'utf8')].map((text) =>
      JSON.parse(text),
    );
    const ids = new Set(then.checks.map(({ id }: { id: string }) => id));
    expect(now.checks.filter(({ id }: { id: string }) => ids.has(id))).toEqual(then.checks);
    expect([now.outcome, now.spent, now.startedAt]).toEqual([then.outcome, then.spent, then.startedAt]);
    expect(options.length === 0 ? now : then).toEqual(then);
  },
);

test('report writes every exchange as HAR, without a key', async () => {
  const report = await finishedRun();
  const file = join(temporaryFolder(), 'run.har');
  const { code, stderr } = await callCommand(['report', report, '--har', file, '--quiet']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(`^wrote ${file}\n`)]);
  const text = readFileSync(file, 'utf8');
  const { log }: { log: { entries: { request: { url: string }; response: { status: number } }[] } } =
    JSON.parse(text);
  const {
    spent,
    target: { baseUrl },
  }: { spent: { requests: number }; target: { baseUrl: string } } = JSON.parse(
    readFileSync(join(report, 'report.json'), 'utf8'),
  );
  expect(log.entries).toHaveLength(spent.requests);
  expect(
    log.entries.every(({ request, response }) => request.url.startsWith(baseUrl) && response.status > 0),
  ).toBe(true);
  expect(text).toContain('Bearer (a key: primary)');
  expect(text).not.toContain(KEY.CHAT_API_KEY);
});

test('report exits 2 with one line given a HAR file that cannot be written', async () => {
  const { code, stderr } = await callCommand(['report', await finishedRun(), '--har', '/nowhere/run.har']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^.*cannot write \/nowhere\/run\.har.*\n$/)]);
});

test('report --rejudge names each verdict that changed', async () => {
  const report = await finishedRun();
  const file = join(report, 'journal.ndjson');
  const lenient = readFileSync(file, 'utf8').replaceAll(
    /\{"kind":"violated","finding":\{[^}]*\}\}/g,
    '{"kind":"holds"}',
  );
  writeFileSync(file, lenient);
  const { code, stderr } = await callCommand(['report', '--rejudge', report, '--quiet']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Changed: unheard-of-field-refused was pass, and is fail now: expected .+$/m);
});

test('report names the host to which its curl lines send a key, and none where there are none', async () => {
  const report = await finishedRun();
  const { target } = JSON.parse(readFileSync(join(report, 'report.json'), 'utf8'));
  const { stdout, stderr } = await callCommand(['report', report]);
  expect(stdout).toContain('"Authorization: Bearer $CHAT_API_KEY"');
  expect(stderr).toBe(`curl lines, if you run them, send your keys to ${target.baseUrl}\n`);
  const passing = temporaryFolder();
  await callCommand(['--only', 'RES-6', '--tier', 'smoke', '--report', passing, '--quiet']);
  expect((await callCommand(['report', passing])).stderr).toBe('');
});

test('report says that the last line is incomplete', async () => {
  const report = await finishedRun();
  const file = join(report, 'journal.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9));
  const { code, stdout, stderr } = await callCommand(['report', file, '--quiet']);
  expect(stderr).toMatch(/^\S+: ignored the last line, which is incomplete\n/);
  expect(stdout).toContain('Cut short: the run was killed while 0 requests were in flight');
  expect(code).toBe(1);
});

test('finds the journal of the run that a report is about', async () => {
  const report = await finishedRun();
  const { baseUrl } = await startErringService();
  const copy = join(report, 'earlier.json');
  writeFileSync(copy, readFileSync(join(report, 'report.json')));
  await callCommand(
    ['--base-url', baseUrl, '--only', 'REQ-6', '--seed', '9', '--quiet', '--report', report],
    KEY,
  );
  expect((await callCommand(['report', copy])).stdout).toContain('seed 8');
  expect((await callCommand(['report', report])).stdout).toContain('seed 9');
});

test.each([
  ['a path that does not exist', (): string => '/nowhere/at/all', 'there is no /nowhere/at/all'],
  ['a folder without a journal', (): string => temporaryFolder(), 'holds no journal.ndjson'],
  [
    'a report without its journal',
    async (): Promise<string> => {
      const report = await finishedRun();
      rmSync(join(report, 'journal.ndjson'));
      return join(report, 'report.json');
    },
    'is not beside it',
  ],
  [
    'a JSON file of another kind',
    (): string => {
      const file = join(temporaryFolder(), 'some.json');
      writeFileSync(file, '[]');
      return file;
    },
    'is neither a journal nor a report',
  ],
])('exits 2 with one line given %s', async (_what, path, line) => {
  const { code, stdout, stderr } = await callCommand(['report', await path()]);
  expect(stderr).toMatch(/^error: .+\n$/);
  expect(stderr).toContain(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

const HOSTILE =
  '\u001B[31m\u001B]0;x\u0007\u009B2J\u202E<script>alert(1)</script>]]>&nbsp;\r\n::error::../../../x\0';

/** Members in which a journal holds texts of its writer, of the target, or of a module of the user. */
const TEXTS = new Set(
  'title baseUrl reason hint expected actual code path point value text again at'.split(' '),
);

/** One is shown as known, the other as out of date. */
const KNOWN = [
  { check: 'unheard-of-field-refused', reason: 'later' },
  { check: 'known-parameter-refused', failure: { code: 'other', path: '/n' }, reason: 'later' },
];

/** Every text of a line made hostile; every exchange and trial has an ID to match. */
function hostileLine(line: string): string {
  const entry: Record<string, unknown> = JSON.parse(line, (name, value: unknown) => {
    if (typeof value === 'string' && TEXTS.has(name) && !value.includes('Z')) return value + HOSTILE;
    if (name === 'headers' && !Array.isArray(value)) return { ...Object(value), 'x`id`$a': HOSTILE };
    if (name === 'exchanges' && Array.isArray(value)) return value.map((id) => `${id}${HOSTILE}`);
    return name === 'control' && typeof value === 'string' ? value + HOSTILE : value;
  });
  if (typeof entry['id'] === 'string' && entry['type'] !== 'invariant') entry['id'] += HOSTILE;
  return JSON.stringify(entry);
}

test('reports a journal of hostile texts: none acts on a terminal, a page or a folder', async () => {
  const report = await finishedRun();
  const folder = temporaryFolder();
  const lines = readFileSync(join(report, 'journal.ndjson'), 'utf8').trimEnd().split('\n');
  const journal = join(folder, 'journal.ndjson');
  const [first = '', ...rest] = lines;
  const begin = JSON.stringify({ ...JSON.parse(first), known: KNOWN });
  writeFileSync(journal, [begin, ...rest].map((line) => `${hostileLine(line)}\n`).join(''));
  for (const [name, options] of [
    ['report', []],
    ['rejudged', ['--rejudge']],
  ] as const) {
    const out = join(folder, name);
    const { code, stdout, stderr } = await callCommand(['report', ...options, journal, '--report', out]);
    expect([EXIT.conformant, EXIT.violations, EXIT.incomplete]).toContain(code);
    // What moves the cursor, changes colours, or turns the direction of writing; and no line is a command of a CI job.
    expect(stdout + stderr).not.toMatch(/[[\p{Cc}\p{Cf}]--\n]|^::/mv);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toMatch(/<script>alert|[[\p{Cc}\p{Cf}]--\s]/v);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).not.toMatch(/<script>/);
    expect(readdirSync(out).toSorted()).toEqual(['junit.xml', 'report.html', 'report.json', 'summary.md']);
  }
  expect(readdirSync(folder).toSorted()).toEqual(['journal.ndjson', 'rejudged', 'report']);
});

test('names no command of a journal, and quotes what it calls a stimulus', async () => {
  const { baseUrl } = await startErringService(() => false);
  const report = join(temporaryFolder(), 'out');
  const options = ['--base-url', baseUrl, '--tier', 'smoke', '--seed', '8', '--quiet', '--report', report];
  await callCommand(options, KEY);
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
  const plain = `chat-conformance --base-url ${baseUrl} --seed 8 `;
  expect(whole.filter((line) => !line.startsWith(plain))).toEqual([]);
  expect(whole.filter((line) => line.includes('x;`id`'))).not.toEqual([]);
  expect(whole.join('\n').replaceAll(/'[^']*'/g, '')).not.toMatch(/[;`$]/);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  for (const text of [stdout, page]) expect(text).not.toContain('--start evil');
});

test.each([
  ['checks/0/id', (line: string) => line.replace(/"checks":\[\{"id":"/, '$&../'), 1],
  [
    'request/method',
    (line: string) => line.replace('"method":"GET"', String.raw`"method":"GET\u001b[2J"`),
    3,
  ],
  [
    'request/headers/x;id',
    (line: string) =>
      line.replace(/"headers":\{("?)/, (_, next: string) => `"headers":{"x;id":"a"${next && ','}${next}`),
    3,
  ],
  ['target/headers/0', (line: string) => line.replace('"headers":[]', '"headers":["y$(id)"]'), 1],
] as const)('refuses a journal whose %s is none', async (place, spoil, number) => {
  const report = await finishedRun();
  const journal = join(report, 'journal.ndjson');
  const lines = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, lines.map((line, i) => (i < number ? spoil(line) : line)).join('\n'));
  const { code, stderr } = await callCommand(['report', journal]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(new RegExp(`journal\\.ndjson:\\d#/${place}: must be`)),
  ]);
});
