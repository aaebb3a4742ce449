import { expect, test } from 'vitest';
import { SUMMARY } from '../test-support/summary.ts';
import type { CheckResult } from '../model/summary.ts';
import { htmlReport } from './html/html-report.ts';
import { inputLines } from './display-verdict.ts';
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
const LINE = '2 checks tried a part of their inputs, check-1 18 of 277: another seed tries others';

test('names the check of which most was left to other seeds', () => {
  expect(inputLines(PART)).toEqual([LINE]);
  expect(inputLines(tried({ tried: 1, of: 2 }))).toEqual([
    '1 check tried a part of its inputs, check-0 1 of 2: another seed tries others',
  ]);
});

test('says nothing where every input was tried', () => {
  expect(inputLines(tried(undefined, undefined))).toEqual([]);
});

test('promises nothing of another seed where the run was cut short', () => {
  expect(inputLines({ ...PART, cutShort: ['interrupted'] })).toEqual([
    '2 checks tried a part of their inputs, check-1 18 of 277',
  ]);
});

test('tells people in every form how much was tried', () => {
  const paint = (_style: unknown, text: string) => text;
  expect(terminalReport(PART, { paint, detail: 'everything', again: () => '' })).toContain(`\n${LINE}\n`);
  expect(markdownReport(PART)).toContain(`${LINE}.`);
  expect(markdownReport(PART)).toMatch(/`check-1` \|.*\| 18 of 277 \|/);
  expect(htmlReport(PART)).toContain('<p class="soft">tried 18 of 277 inputs</p>');
  expect(htmlReport(PART)).toContain(`<dd>${LINE}</dd>`);
});
