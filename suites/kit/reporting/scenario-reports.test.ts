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

test('draws each completion in a lane of those in flight, with faults and debits', () => {
  const page = scenariosSection({ scenarios: [SCENARIO] }).markup;
  const rows = [...page.matchAll(/<rect[^>]* y="(\d+)"[^>]*class="(\w+)"/g)].map(([, y, kind]) => [y, kind]);
  expect(rows).toEqual([
    ['4', 'served'],
    ['14', 'fault'],
    ['4', 'served'],
  ]);
  expect(page.match(/<circle[^>]* class="debit"/g)).toHaveLength(1);
  expect(page).toMatch(/<figcaption>\s*Completions in flight from 0 to 0\.13 s ·/);
  expect(page).toContain('first &lt;b&gt;');
  expect(page).toContain('title="nothing failed"');
  expect(scenariosSection({}).markup).toBe('');
});

test('says how many completions it draws where there are too many', () => {
  const one = { kind: 'chat', outcome: '429 rate-limit' } as const;
  const requests = Array.from({ length: 900 }, (_, n) => ({ ...one, n, from: n, to: n + 1 }));
  const page = scenariosSection({ scenarios: [{ ...SCENARIO, requests }] }).markup;
  expect(page.match(/<rect/g)).toHaveLength(500);
  expect(page).toContain('from 0 to 0.50 s: the first 500 of 900');
});
