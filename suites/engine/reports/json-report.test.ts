import { expect, test } from 'vitest';
import { SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { jsonReport } from './json-report.ts';

test('returns the keys that others depend on, in their order', () => {
  const report: object = JSON.parse(jsonReport(SUMMARY));
  const keys =
    'format version outcome target seed caps startedAt durationMs spent checks clauses open uncertain cutShort warnings';
  expect(Object.keys(report)).toEqual(keys.split(' '));
  expect(report).toMatchObject({ format: 'chat-conformance/report', version: 1, ...SUMMARY });
});

test('returns text that is UTF-8 safe given a lone surrogate', () => {
  const text = jsonReport({ ...TROUBLED, cutShort: ['\ud800'] });
  expect(Buffer.from(text).toString()).toBe(text);
});
