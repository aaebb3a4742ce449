import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import type { Summary } from '../../model/summary.ts';
import { EVERY_VERDICT } from '../../test-support/every-verdict.ts';
import { SUMMARY, TROUBLED } from '../../test-support/summary.ts';
import { codeQualityReport, sarifReport } from './code-host-reports.ts';

const STAGING = { ...EVERY_VERDICT, target: { ...EVERY_VERDICT.target, name: 'staging' } };

const CONTEXT = { release: '1.2.3', sourceFile: 'docs/my service.md', runs: [] };

const require = createRequire(import.meta.url);

// The schema is of draft 4, of which this validator knows everything but the names of its head.
const {
  $schema: _,
  id: __,
  ...SARIF
}: Record<string, unknown> = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(SARIF);

/** What GitHub reads of a result, and does not do without. */
const GITHUB_RESULT = {
  ruleId: expect.any(String),
  level: expect.stringMatching(/^(?:error|warning|note)$/),
  message: { text: expect.any(String) },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'docs/my%20service.md', uriBaseId: '%SRCROOT%' },
        region: { startLine: 1 },
      },
    },
  ],
  partialFingerprints: { primaryLocationLineHash: expect.stringMatching(/^[\da-f]{64}$/) },
};

/** As docs.gitlab.com describes an issue of a Code Quality report: it has no schema of its own. */
const isCodeQuality = new Ajv().compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^[^./]' },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
    additionalProperties: false,
  },
});

const NOT_BEGUN: Summary = { ...SUMMARY, outcome: 'incomplete', notBegun: { reason: 'connection refused' } };

test.each([
  ['a conformant run', SUMMARY, 0],
  ['a run with trouble', TROUBLED, 1],
  ['a run with every verdict', EVERY_VERDICT, 3],
  ['a run that could not begin', NOT_BEGUN, 1],
])('returns files that the schemas of GitHub and GitLab allow given %s', (_what, summary, count) => {
  const log = JSON.parse(sarifReport(summary, CONTEXT));
  isSarif(log);
  expect(isSarif.errors ?? []).toEqual([]);
  const [{ results, tool }] = log.runs;
  expect(results).toHaveLength(count);
  for (const result of results) {
    expect(result).toMatchObject(GITHUB_RESULT);
    const rule = tool.driver.rules.find(({ id }: { id: string }) => id === result.ruleId);
    for (const part of ['shortDescription', 'fullDescription', 'help'])
      expect(rule[part].text).toEqual(expect.stringMatching(/./));
  }
  const issues = JSON.parse(codeQualityReport(summary, CONTEXT));
  isCodeQuality(issues);
  expect(isCodeQuality.errors ?? []).toEqual([]);
  const fingerprints = issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  expect(new Set(fingerprints).size).toBe(count);
});

test('returns what a clause says, what mends it, and how bad it is; a known failure is a note, and suppressed', () => {
  const [run] = JSON.parse(sarifReport(STAGING, CONTEXT)).runs;
  expect(run.automationDetails).toEqual({ id: 'chat-conformance/staging/' });
  expect(run.tool.driver).toMatchObject({ name: 'chat-conformance', version: '1.2.3' });
  const [rule] = run.tool.driver.rules;
  expect(rule).toMatchObject({ id: 'REQ-6', fullDescription: { text: expect.stringContaining('refused') } });
  expect(rule.help.text).toMatch(
    /refuse every field except the five\n\nnpx --no -- chat-conformance explain REQ-6$/,
  );
  const levels = run.results.map(({ level, suppressions }: { level: string; suppressions?: object[] }) => [
    level,
    suppressions?.length,
  ]);
  expect(levels).toEqual(
    expect.arrayContaining([
      ['error', undefined],
      ['note', 1],
    ]),
  );
  const severities = JSON.parse(codeQualityReport(EVERY_VERDICT, CONTEXT));
  expect(severities).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check_name: 'REQ-6', severity: 'critical' }),
      expect.objectContaining({ check_name: 'REQ-6', severity: 'info' }),
    ]),
  );
});

test('returns no link that a target wrote', () => {
  const [failed] = TROUBLED.checks;
  if (failed === undefined) throw new Error('a troubled run has a failure');
  const summary = { ...TROUBLED, checks: [{ ...failed, reason: '[open](https://evil.example)' }] };
  expect(sarifReport(summary, CONTEXT)).not.toContain('](');
});
