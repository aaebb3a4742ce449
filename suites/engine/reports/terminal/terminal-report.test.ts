import { expect, test } from 'vitest';
import { PARTLY, SUMMARY, TROUBLED } from '../../test-support/summary.ts';
import { withoutColours } from '../colours.ts';
import { terminalReport } from './terminal-report.ts';

const everything = {
  styleText: withoutColours,
  detail: 'everything',
  rerunCommand: (id: string) => `again ${id}`,
} as const;

test('returns sections, coverage, open points, spending and the outcome given a run without trouble', () => {
  const text = terminalReport(SUMMARY, everything);
  expect(text).toContain('http://127.0.0.1:1/v1 (live), seed 7');
  expect(text).toMatch(/✔ chat-request +1 passed/);
  expect(text).toContain('\n  1 passed         REQ-6\n  1 not exercised  RES-5: needs access\n');
  expect(text).toContain('ERR-9   error.code /error/code');
  expect(text).toContain('Spent 40 requests, 8 completions, 99 output tokens in 1.2 s');
  expect(text).toContain('Outcome: conformant');
});

test('returns what was not seen of a clause that passed in part, and why', () => {
  const text = terminalReport(PARTLY, everything);
  expect(text).toContain('\n  1 passed in part  VER-2 without streams, lists models: no client\n');
});

test('returns all the evidence of a failure', () => {
  const text = terminalReport(TROUBLED, everything);
  const parts = ['REQ-6 (stated): ', 'a refusal', 'status 200', 'POST /chat/completions'];
  const more = [
    'differs only in /n',
    'curl -sS',
    '$CHAT_API_KEY',
    'again unknown-field-refused',
    'Cut short: interrupted',
  ];
  for (const part of [...parts, ...more]) expect(text).toContain(part);
});

test('returns the key that finds an uncertain request in the workspace', () => {
  expect(terminalReport(TROUBLED, everything)).toContain('Idempotency-Key key-1: no answer within 120000 ms');
});

test('returns no control character but the end of a line, whatever the target wrote', () => {
  expect(terminalReport(TROUBLED, everything)).not.toMatch(/[^\P{Cc}\n]/u);
});

test('returns failures, uncertain requests and the outcome alone given that detail', () => {
  const text = terminalReport(TROUBLED, { ...everything, detail: 'failures' });
  expect(text).toContain('unknown-field-refused');
  expect(text).toContain('Outcome: violations');
  expect(text).not.toContain('Open points');
  expect(text).not.toContain('Spent');
});

test('names the place of a failure, also where that is the whole body', () => {
  const [failed] = TROUBLED.checks;
  if (failed === undefined) throw new Error('one check failed');
  const at = (path: string) => {
    const evidence = failed.evidence.map((each) => ({ ...each, finding: { ...each.finding, path } }));
    return terminalReport({ ...TROUBLED, checks: [{ ...failed, evidence }] }, everything);
  };
  expect(at('/error')).toMatch(/^ +at +\/error$/m);
  expect(at('')).toMatch(/^ +at +the whole body$/m);
});

test('returns the reason given an error without evidence', () => {
  const [check] = TROUBLED.checks.map((result) =>
    Object.assign({}, result, { verdict: 'error', evidence: [] }),
  );
  const text = terminalReport({ ...TROUBLED, checks: check === undefined ? [] : [check] }, everything);
  expect(text).toContain('reason    accepted the field n');
});

test('returns the reason of an undecided check given that other checks decided its clauses', () => {
  const [passed] = SUMMARY.checks;
  const other = Object.assign({}, passed, {
    id: 'other',
    verdict: 'not-exercised',
    reason: 'no long context',
  });
  const text = terminalReport({ ...SUMMARY, checks: [...SUMMARY.checks, other] }, everything);
  expect(text).toContain('  other: no long context');
});

test('returns no green tick given a section with a check that was cut', () => {
  const checks = SUMMARY.checks.map((check) => ({ ...check, cut: 2 }));
  expect(terminalReport({ ...SUMMARY, checks }, everything)).toMatch(/! chat-request +1 passed/);
});
