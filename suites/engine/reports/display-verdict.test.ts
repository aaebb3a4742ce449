import { expect, test } from 'vitest';
import type { CheckResult } from '../model/summary.ts';
import { SUMMARY } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { displayReason, inputsLines, spentText } from './display-verdict.ts';
import { htmlReport } from './html-report.ts';
import { markdownReport } from './markdown-report.ts';
import { terminalReport } from './terminal-report.ts';

function tried(...inputs: readonly CheckResult['inputs'][]) {
  const [check = expect.fail()] = SUMMARY.checks;
  const checks = inputs.map((each, i) => ({ ...check, id: `check-${i}`, ...(each && { inputs: each }) }));
  return { ...SUMMARY, runs: 'few' as const, checks };
}

const PART = tried({ tried: 14, of: 69 }, { tried: 18, of: 277 }, undefined);
const TWO = '2 checks tried only part of their inputs';
const LINE = `${TWO}; --tier exhaustive tries all`;

test('counts the checks that left inputs untried, and advises no larger run where one was cut short, or tried all it could', () => {
  expect(inputsLines(tried(undefined, undefined))).toEqual([]);
  expect(inputsLines({ ...PART, cutShort: ['interrupted'] })).toEqual([TWO]);
  expect(inputsLines({ ...PART, runs: 55 })).toEqual([TWO]);
});

test('says what a run spent, and what passed by a proxy, which counts no tokens', () => {
  const spent = { requests: 1, completions: 2, outputTokens: 1, uncertain: 0 };
  const summary = { ...SUMMARY, spent, durationMs: 1234 };
  expect(spentText(summary)).toBe('Spent 1 request, 2 completions, 1 output token in 1.2 s');
  const passing = { ...summary, target: { ...SUMMARY.target, passing: true as const } };
  expect(spentText(passing)).toBe('Passed on 1 request, 2 completions in 1.2 s');
  for (const form of [htmlReport, markdownReport]) expect(form(passing)).not.toMatch(/Spent|output token/);
});

test('says in every form for people how many inputs were tried', () => {
  expect(terminalReport(PART, { styleText: withoutColours, detail: 'everything' })).toContain(`\n${LINE}\n`);
  expect(markdownReport(PART)).toContain(`${LINE}.`);
  expect(markdownReport(PART)).toMatch(/`check-1` \|.*\| 18 of 277 \|/);
  for (const line of [`<p class="soft">tried 18 of 277 inputs</p>`, LINE])
    expect(htmlReport(PART)).toContain(line);
});

test.each<[Parameters<typeof displayReason>[0], string]>([
  [{ reason: '' }, '12 passed, 3 could not be read'],
  [{ reason: 'expected x', known: ['#7'] }, '#7: 12 passed, 3 could not be read: expected x'],
  [{ reason: '12 passed, 3 could not be read, since why' }, '12 passed, 3 could not be read, since why'],
])('says with %j how many trials could not be read', (result, text) => {
  expect(displayReason({ ...result, trials: { held: 12, unreadable: 3 } })).toBe(text);
});
