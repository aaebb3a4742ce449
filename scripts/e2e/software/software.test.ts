import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Mock, startMock } from '../../../mock-server/start-mock.ts';
import { readReport } from '../../../suites/engine/reports/read-report.ts';
import { skipWithout } from '../network/servers/programs.ts';
import { callCommand } from '../support/command.ts';
import { NotInstalled } from './install.ts';
import { SET_UPS, type Target } from './set-ups.ts';

skipWithout('nginx', 'haproxy', 'varnishd');

const folder = mkdtempSync(join(tmpdir(), 'software-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the page says of each set-up: the outcome of a run, the clauses that fail and those that warn. */
const page = readFileSync(new URL('../../../docs/software.md', import.meta.url), 'utf8');
const ROWS = [
  ...page.matchAll(/^\| ([^|]+?) +\| (conformant|violations|incomplete) +\|([^|]*)\|([^|]*)\|/gm),
].map(([, name = '', outcome = '', fail = '', warn = '']) => ({
  name,
  outcome,
  fail: idsIn(fail),
  warn: idsIn(warn),
}));

function idsIn(cell: string): readonly string[] {
  return (cell.match(/[A-Z]+-\d+/g) ?? []).toSorted();
}

test('tells of every set-up', () => {
  expect(ROWS.map(({ name }) => name)).toEqual(Object.keys(SET_UPS));
});

test.for(ROWS)('says of a service where $name what the page says', async ({ name, ...said }, { skip }) => {
  // Long enough for requests to overlap.
  const mock = await startMock({ latency: 20 });
  onTestFinished(() => mock.close());
  const target = await started(name, mock, skip);
  onTestFinished(() => target.stop());
  const report = mkdtempSync(join(folder, 'report-'));
  const args = ['--base-url', target.baseUrl, '--seed', '1', '--report', report];
  await callCommand(args, { CHAT_API_KEY: target.key ?? mock.keys['primary'] ?? '' });
  const { outcome, clauses } = readReport(report);
  const having = (verdict: string): readonly string[] =>
    clauses.flatMap((clause) => (clause.verdict === verdict ? clause.id : [])).toSorted();
  expect({ outcome, fail: having('fail'), warn: having('warn') }).toEqual(said);
});

async function started(name: string, mock: Mock, skip: (reason: string) => never): Promise<Target> {
  const setUp = SET_UPS[name];
  if (setUp === undefined) throw new Error(`no set-up has the name ${name}`);
  try {
    return await setUp(mock);
  } catch (error) {
    if (error instanceof NotInstalled) skip(error.message);
    throw error;
  }
}
