import { expect, test } from 'vitest';
import type { PastRun, Summary } from '../model/summary.ts';
import { SUMMARY } from '../test-support/summary.ts';
import { historyOf, pastRunOf } from './history.ts';
import { htmlReport } from './html-report.ts';
import { markdownReport } from './markdown-report.ts';

const OF = { target: 'http://127.0.0.1:1/v1', release: '1.2.3' };

function run(
  day: number,
  verdicts: PastRun['verdicts'],
  outcome: Summary['outcome'] = 'conformant',
): PastRun {
  return { ...OF, startedAt: `2026-01-0${day}T00:00:00.000Z`, seed: day, outcome, verdicts };
}

const RUNS = [
  run(1, { pass: ['REQ-6', 'RES-5'] }),
  { ...run(2, { 'not-exercised': ['REQ-6'], pass: ['RES-5'] }, 'incomplete'), part: true as const },
  run(3, { fail: ['REQ-6'], pass: ['RES-5'] }, 'violations'),
  run(4, { pass: ['REQ-6'] }),
];

test('returns the clauses of a run by their verdicts', () => {
  expect(pastRunOf(SUMMARY, OF)).toEqual({
    ...OF,
    startedAt: SUMMARY.startedAt,
    seed: 7,
    outcome: 'conformant',
    verdicts: { pass: ['REQ-6'], 'not-exercised': ['RES-5'] },
  });
});

test('returns each change against the last run that decided the clause, the latest first', () => {
  expect(historyOf(RUNS)?.changes.rows.map(({ cells }) => [cells[0], cells[2], cells[3]])).toEqual([
    ['2026-01-04T00:00:00.000Z', { said: 'REQ-6' }, 'fail → pass'],
    ['2026-01-03T00:00:00.000Z', { said: 'REQ-6' }, 'pass → fail'],
  ]);
});

test('shows a mark for each run in both reports, and nothing of a first run', () => {
  expect(historyOf(RUNS)?.marks.map(({ mark }) => mark)).toEqual(['✔', '(!)', '✘', '✔']);
  const markdown = markdownReport(SUMMARY, { runs: RUNS });
  expect(markdown).toContain(
    '## History\n\n✔ (!) ✘ ✔ (4 runs since 2026-01-01, the latest last: ✔ conformant, ✘ violations, ! incomplete, in brackets: a part of the checks)\n\n| run |',
  );
  const page = htmlReport(SUMMARY, { runs: RUNS });
  expect(page).toContain('title="2026-01-03T00:00:00.000Z, seed 3, release 1.2.3: violations">✘</abbr>');
  expect(page).toContain('<h2 id="latest-changes">Latest changes</h2>');
  for (const text of [markdownReport(SUMMARY, { runs: RUNS.slice(0, 1) }), htmlReport(SUMMARY)])
    expect(text).not.toContain('History');
});
