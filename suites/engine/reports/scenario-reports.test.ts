import { expect, test } from 'vitest';
import type { ScenarioResult } from '../model/summary.ts';
import { withoutColours } from './colours.ts';
import { scenariosSection } from './html/scenarios.ts';
import { scenarioLines } from './terminal/scenarios.ts';

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

test('prints what a caller did only where it is asked for', () => {
  const lines = (timeline: boolean, verdicts: boolean): string =>
    scenarioLines([SCENARIO], { timeline, verdicts }, withoutColours).join('\n');
  expect(lines(false, false)).toBe('');
  expect(lines(true, false)).toContain('#2 POST');
  expect(lines(true, false)).not.toContain('first');
  expect(lines(false, true)).toMatch(/not-exercised: nothing failed\n +no-automatic-retry[^]*\| last/);
});

test('shows on the page what each check says, what was sent and what was written', () => {
  const page = scenariosSection({ scenarios: [SCENARIO] }).markup;
  expect(page).toContain('title="nothing failed"');
  expect(page).toContain('#2 POST');
  expect(page).toContain('first &lt;b&gt;');
  expect(scenariosSection({}).markup).toBe('');
});
