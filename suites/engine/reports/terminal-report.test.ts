import { expect, test } from 'vitest';
import type { CheckResult, ScenarioResult, Summary } from '../model/summary.ts';
import { PARTLY, SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { failureLines } from './failure-parts.ts';
import { htmlReport } from './html-report.ts';
import { terminalReport, type TerminalReportOptions } from './terminal-report.ts';

function textOf(summary: Summary, more: Partial<TerminalReportOptions> = {}): string {
  return terminalReport(summary, { styleText: withoutColours, detail: 'everything', ...more });
}

const [FAILED = expect.fail()] = TROUBLED.checks;
const [EVIDENCE = expect.fail()] = FAILED.evidence;

const failing = (change: Partial<CheckResult>): Summary => ({
  ...TROUBLED,
  checks: [{ ...FAILED, ...change }],
});
const failingAt = (path: string): Summary =>
  failing({ evidence: [{ ...EVIDENCE, finding: { ...EVIDENCE.finding, path } }] });
const EVIDENT = [
  ['REQ-6 (stated): ', 'a refusal', 'status 200', 'POST /chat/completions', 'differs only in /n', 'curl -sS'],
  ['$CHAT_API_KEY', 'Cut short: interrupted'],
].flat();

test.each<[string, Summary, readonly (string | RegExp)[]]>([
  [
    'coverage, open points, spending and the outcome of a run without trouble',
    SUMMARY,
    [
      'http://127.0.0.1:1/v1 (live), seed 7',
      '\n  1 passed         REQ-6\n  1 not exercised  RES-5: needs access\n',
      'ERR-9   error.code /error/code',
      'Spent 40 requests, 8 completions, 99 output tokens in 1.2 s',
      'Outcome: conformant',
    ],
  ],
  [
    'what was not seen of a clause, and why',
    PARTLY,
    ['\n  1 passed in part  VER-2, not seen: streams, lists models (no client)\n'],
  ],
  ['all the evidence of a failure', TROUBLED, EVIDENT],
  ['the key of an uncertain request', TROUBLED, ['Idempotency-Key key-1: no answer within 120000 ms']],
  ['the place of a failure', failingAt('/error'), [/^ +at +\/error$/m]],
  ['that the place is the whole body', failingAt(''), [/^ +at +the whole body$/m]],
  [
    'the reason of an error without evidence',
    failing({ verdict: 'error', evidence: [] }),
    ['reason    accepted the field n'],
  ],
])('returns %s', (_, summary, parts) => {
  const text = textOf(summary);
  for (const part of parts) expect(text).toMatch(part);
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
});

test('returns failures, uncertain requests and the outcome alone given that detail', () => {
  const text = textOf(TROUBLED, { detail: 'failures' });
  for (const part of ['unknown-field-refused', 'Outcome: violations']) expect(text).toContain(part);
  for (const part of ['Open points', 'Spent']) expect(text).not.toContain(part);
});

test.each([
  ['screen', /curl +33871 characters: see report\.html/],
  ['whole', /x{33865}[^]*\$/],
] as const)('leaves a long curl line out on a screen and not in a file: %s', (extent, end) => {
  const evidence = [{ ...EVIDENCE, curl: `curl ${'x'.repeat(33_865)}$` }];
  expect(failureLines({ ...FAILED, evidence }, withoutColours, extent).join('\n')).toMatch(end);
});

const SCENARIO: ScenarioResult = {
  name: 'rate-limited',
  end: 'exit code 3',
  output: 'first <b>\nlast',
  verdicts: [
    { check: 'fresh-key-per-request', verdict: 'pass', reason: '' },
    { check: 'no-automatic-retry', verdict: 'not-exercised', reason: 'nothing failed' },
  ],
  timeline: ['0.001 s  #1 POST', '0.002 s  #2 POST'],
  requests: [{ n: 1, from: 0, to: 100, kind: 'chat', outcome: '200', money: 'debited 3' }],
};

const OF_CALLER = { ...SUMMARY, scenarios: [SCENARIO] };

test('returns what a caller did only where it is asked for', () => {
  const text = (timeline: boolean, verdicts: boolean): string =>
    textOf(OF_CALLER, { detail: 'failures', scenarios: { timeline, verdicts } });
  expect(text(false, false)).not.toContain('rate-limited');
  expect(text(true, false)).toMatch(/rate-limited: 1 request, exit code 3[^]*#2 POST/);
  expect(text(true, false)).not.toContain('first');
  expect(text(false, true)).toMatch(/not-exercised: nothing failed\n +no-automatic-retry[^]* last/);
});

test('shows on the page what each check says, what was sent and what was written', () => {
  const page = htmlReport(OF_CALLER);
  for (const part of ['not-exercised: nothing failed', '#2 POST', 'first &lt;b&gt;'])
    expect(page).toContain(part);
  expect(htmlReport(SUMMARY)).not.toContain('Scenarios');
});
