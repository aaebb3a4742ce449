import { expect, test } from 'vitest';
import type { ScenarioResult } from '../model/summary.ts';
import { SUMMARY } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { htmlReport } from './html/html-report.ts';
import { terminalReport } from './terminal/terminal-report.ts';

const SCENARIO: ScenarioResult = {
  name: 'rate-limited',
  end: 'exit code 3',
  output: 'first <b>\nlast',
  verdicts: [
    { check: 'fresh-key-per-request', verdict: 'pass', reason: '' },
    { check: 'no-automatic-retry', verdict: 'not-exercised', reason: 'nothing failed' },
  ],
  timeline: ['0.001 s  #1 POST', '0.002 s  #2 POST'],
  requests: [
    { n: 1, from: 0, to: 100, kind: 'chat', outcome: '200', money: 'debited 3' },
    { n: 2, from: 50, to: null, kind: 'chat', outcome: '429 rate-limit', fault: 'rate_limit' },
    { n: 3, from: 120, to: 130, kind: 'chat', outcome: '200' },
    { n: 4, from: 5, to: 6, kind: 'other', outcome: '200' },
  ],
};

const SUMMARY_OF_CALLER = { ...SUMMARY, scenarios: [SCENARIO] };

test('prints what a caller did only where it is asked for', () => {
  const text = (timeline: boolean, verdicts: boolean): string =>
    terminalReport(SUMMARY_OF_CALLER, {
      styleText: withoutColours,
      detail: 'failures',
      scenarios: { timeline, verdicts },
    });
  expect(text(false, false)).not.toContain('rate-limited');
  expect(text(true, false)).toContain('#2 POST');
  expect(text(true, false)).not.toContain('first');
  expect(text(false, true)).toMatch(/not-exercised: nothing failed\n +no-automatic-retry[^]* last/);
});

test('shows on the page what each check says, what was sent and what was written', () => {
  const page = htmlReport(SUMMARY_OF_CALLER);
  for (const part of ['not-exercised: nothing failed', '#2 POST', 'first &lt;b&gt;'])
    expect(page).toContain(part);
  expect(htmlReport(SUMMARY)).not.toContain('Scenarios');
});
