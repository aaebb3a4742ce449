import { expect, test } from 'vitest';
import type { CheckResult } from '../model/summary.ts';
import { SUMMARY } from '../test-support/summary.ts';
import { displayReason, inputsLines, spentText } from './display-verdict.ts';
import { htmlReport } from './html/html-report.ts';
import { markdownReport } from './markdown-report.ts';
import { terminalReport } from './terminal/terminal-report.ts';

const [CHECK] = SUMMARY.checks;

function tried(...inputs: readonly CheckResult['inputs'][]) {
  const checks = inputs.flatMap((each, i) =>
    CHECK === undefined ? [] : [{ ...CHECK, id: `check-${i}`, ...(each !== undefined && { inputs: each }) }],
  );
  return { ...SUMMARY, checks };
}

const PART = tried({ tried: 14, of: 69 }, { tried: 18, of: 277 }, undefined);
const LINE =
  '2 checks tried only some of their inputs (check-1: 18 of 277); another seed tries others, --tier exhaustive all';

test('names the check that left the most inputs untried', () => {
  expect(inputsLines(PART)).toEqual([LINE]);
  expect(inputsLines(tried({ tried: 1, of: 2 }))).toEqual([
    '1 check tried only some of its inputs (check-0: 1 of 2); another seed tries others, --tier exhaustive all',
  ]);
});

test('says what a run spent, and what passed by a proxy, which counts no tokens', () => {
  const spent = { requests: 1, completions: 2, outputTokens: 1, uncertain: 0 };
  const summary = { ...SUMMARY, spent, durationMs: 1234 };
  expect(spentText(summary)).toBe('Spent 1 request, 2 completions, 1 output token in 1.2 s');
  const passing = { ...summary, target: { ...SUMMARY.target, passing: true as const } };
  expect(spentText(passing)).toBe('Passed on 1 request, 2 completions in 1.2 s');
  for (const form of [htmlReport, markdownReport]) expect(form(passing)).not.toMatch(/Spent|output token/);
});

test('returns no line given checks that tried all their inputs', () => {
  expect(inputsLines(tried(undefined, undefined))).toEqual([]);
});

test('does not advise another seed given a run that was cut short', () => {
  expect(inputsLines({ ...PART, cutShort: ['interrupted'] })).toEqual([
    '2 checks tried only some of their inputs (check-1: 18 of 277)',
  ]);
});

test('says in every form for people how many inputs were tried', () => {
  const styleText = (_style: unknown, text: string) => text;
  expect(terminalReport(PART, { styleText, detail: 'everything', rerunCommand: () => '' })).toContain(
    `\n${LINE}\n`,
  );
  expect(markdownReport(PART)).toContain(`${LINE}.`);
  expect(markdownReport(PART)).toMatch(/`check-1` \|.*\| 18 of 277 \|/);
  expect(htmlReport(PART)).toContain('<p class="soft">tried 18 of 277 inputs</p>');
  expect(htmlReport(PART)).toContain(`<p>${LINE}</p>`);
});

test('says with every reason how many trials could not be read', () => {
  const trials = { held: 12, unreadable: 3 };
  expect(displayReason({ reason: '', trials })).toBe('held 12, unreadable 3');
  expect(displayReason({ reason: 'expected x', known: ['#7'], trials })).toBe(
    '#7: held 12, unreadable 3: expected x',
  );
  expect(displayReason({ reason: 'held 12, unreadable 3: why', trials })).toBe('held 12, unreadable 3: why');
});
