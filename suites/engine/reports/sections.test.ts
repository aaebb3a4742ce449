import { expect, test } from 'vitest';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult } from '../model/summary.ts';
import { TROUBLED } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { isFailing } from './display-verdict.ts';
import { jsonReport } from './json-report.ts';
import { markdownReport } from './markdown-report.ts';
import { failureGroups, remedyText } from './sections.ts';
import { terminalReport } from './terminal-report.ts';

/** A check that failed, by what failures can share. */
function failing(id: string, clause: ClauseId, stimulus: string, code: string, path?: string): CheckResult {
  const [first] = TROUBLED.checks;
  const [evidence] = first?.evidence ?? [];
  if (first === undefined || evidence === undefined) throw new Error('one check failed');
  const place = path === undefined ? {} : { path };
  const exchange = { ...evidence.exchange, id: `${stimulus}/0/0` };
  const finding = { code, expected: 'a refusal', actual: 'status 200', ...place };
  return {
    ...first,
    id,
    clauses: [clause],
    failures: [{ code, trials: 1, ...place }],
    evidence: [{ ...evidence, finding, exchange }],
  };
}

const CHECKS = [
  failing('alone', 'RES-1', 'control', 'no-choices', '/choices'),
  failing('model', 'SVC-7', 'unlisted-models', 'accepted'),
  failing('field', 'REQ-6', 'known-parameters', 'accepted'),
  failing('same-stimulus', 'ERR-3', 'unlisted-models', 'accepted'),
  failing('same-clause', 'REQ-6', 'unheard-of-fields', 'accepted'),
  failing('another-place', 'RES-1', 'control', 'no-choices', '/data'),
  failing('another-code', 'REQ-6', 'known-parameters', 'streamed'),
  failing('third', 'REQ-6', 'known-parameters', 'accepted'),
];

test('groups what shares a finding and its stimulus or a clause, the largest group first', () => {
  const groups = failureGroups({ checks: CHECKS }, isFailing);
  expect(groups.map(({ results }) => results.map(({ id }) => id))).toEqual([
    ['field', 'same-clause', 'third'],
    ['model', 'same-stimulus'],
    ['alone'],
    ['another-place'],
    ['another-code'],
  ]);
  expect(groups[1]?.clauses).toEqual(['SVC-7', 'ERR-3']);
});

test('shows each failure once and its remedy beside the group in every form', () => {
  const summary = { ...TROUBLED, checks: CHECKS };
  const terminal = terminalReport(summary, { styleText: withoutColours, detail: 'everything' });
  for (const { id } of CHECKS) expect(terminal.split(`✘ ${id}:`)).toHaveLength(2);
  expect(terminal).toContain('  3 checks of REQ-6 fail for one reason: expected a refusal; got status 200\n');
  const zod = 'zod: z.object() drops what it does not name: z.strictObject({ … }) (zod.dev/api)';
  expect(terminal).toContain(`    usually   ${zod}\n`);
  expect(markdownReport(summary)).toMatch(
    /^- `field` `same-clause` `third` \(REQ-6\): .*\n  - usually: `zod: /m,
  );
  const { groups }: { groups: readonly object[] } = JSON.parse(jsonReport(summary));
  expect(groups[0]).toMatchObject({
    checks: ['field', 'same-clause', 'third'],
    clauses: ['REQ-6'],
    code: 'accepted',
    remedies: [{ of: 'zod', mend: 'z.strictObject({ … })' }, { of: 'pydantic' }, { of: 'encoding/json' }],
    gateways: [],
  });
});

test('says what shows a framework, without what would change a terminal', () => {
  const remedy = { of: 'FastAPI', seen: 'server: uvicorn\u001b', cause: 'it strips', mend: 'forbid' };
  expect(remedyText(remedy)).toBe(String.raw`FastAPI (server: uvicorn\u001b): it strips: forbid`);
});
