import { createHash } from 'node:crypto';
import { CLAUSES, type Level } from '../../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Summary } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { displayReason } from '../display-verdict.ts';
import type { ReportContext } from '../history.ts';
import { failureGroups, remedyText } from '../sections.ts';

/** How bad a failure is, as SARIF and as GitLab call it: by its level; what a baseline lists is only noted. */
const WEIGHTS = {
  stated: { level: 'error', severity: 'critical' },
  implied: { level: 'error', severity: 'major' },
  convention: { level: 'warning', severity: 'minor' },
  open: { level: 'note', severity: 'info' },
  known: { level: 'note', severity: 'info' },
} as const satisfies Readonly<Record<Level | 'known', object>>;

/** What a code host shows at a file: a check that fails or warns, or (without one) that the run could not begin. */
type Problem = ReturnType<typeof problemsOf>[number];

/** Also the known failures; and of a run that could not begin one problem, since none would look like a pass. */
function problemsOf(summary: Summary) {
  const { notBegun, target } = summary;
  const failed = failureGroups(summary, ({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const problem = (id: string, text: string, result?: CheckResult, remedies: readonly string[] = []) => ({
    /** A clause, a check of one's own, or `not-begun`. */
    rule: result?.clauses[0] ?? id,
    ...WEIGHTS[result?.known === undefined ? (result?.level ?? 'stated') : 'known'],
    text: shown(text),
    /** The same in every run of a target: a host then takes it for the same problem, in whatever way the check failed. */
    fingerprint: createHash('sha256')
      .update(`${target.name ?? ''} ${id}`)
      .digest('hex'),
    remedies: remedies.map(shown),
    /** The reasons that a baseline gives. */
    known: result?.known,
  });
  if (notBegun !== undefined) return [problem('not-begun', `The run could not begin: ${notBegun.reason}`)];
  return failed.flatMap(({ results, remedies }) =>
    results.map((result) => {
      const { id, title } = result;
      return problem(id, `${id}: ${title}: ${displayReason(result)}`, result, remedies.map(remedyText));
    }),
  );
}

/** Hosts make links of what looks like one: nothing that the target wrote does. */
function shown(text: string): string {
  return printable(text, 1000).replaceAll('](', '] (');
}

/** The text of `gl-code-quality-report.json`: an issue for each check that fails or warns, as GitLab Code Quality reads them. */
export function codeQualityReport(summary: Summary, context: ReportContext): string {
  const location = { path: context.sourceFile, lines: { begin: 1 } };
  const issues = problemsOf(summary).map(({ rule, severity, text, fingerprint, remedies }) => ({
    check_name: rule,
    description: [text, ...remedies].join(' · '),
    fingerprint,
    severity,
    location,
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The text of `report.sarif` (SARIF 2.1.0): a rule for each clause that is broken, a result for each check. */
export function sarifReport(summary: Summary, context: ReportContext): string {
  const { name } = summary.target;
  const problems = problemsOf(summary);
  const byRule = [...Map.groupBy(problems, ({ rule }) => rule)];
  const rules = byRule.map(([rule, own]) => ruleOf(rule, own, summary));
  const driver = { name: 'chat-conformance', version: context.release, rules };
  const run = {
    tool: { driver },
    // A host closes what an upload of the same category has no more: each target has a category of its own.
    ...(name !== undefined && { automationDetails: { id: `chat-conformance/${name}/` } }),
    invocations: [{ executionSuccessful: summary.outcome !== 'incomplete' }],
    results: problems.map((each) => resultOf(each, context)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
}

/** A rule means its clause in words, or the title of a check of one's own. */
function ruleOf(id: string, problems: readonly Problem[], { checks, notBegun }: Summary) {
  const clause = Object.entries(CLAUSES).find(([name]) => name === id)?.[1];
  const own = checks.find((check) => check.id === id);
  const text = clause?.statement ?? own?.title ?? 'A run reaches its target.';
  const remedies = new Set(problems.flatMap((each) => each.remedies));
  const explain = notBegun === undefined ? [`npx --no -- chat-conformance explain ${id}`] : [];
  return {
    id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text: [`${id}: ${text}`, ...remedies, ...explain].join('\n\n') },
    defaultConfiguration: { level: problems[0]?.level },
  };
}

function resultOf({ rule, level, text, fingerprint, known }: Problem, { sourceFile }: ReportContext) {
  const artifactLocation = { uri: encodeURI(sourceFile), uriBaseId: '%SRCROOT%' };
  const suppressions = known?.map((reason) => ({ kind: 'external', justification: shown(reason) }));
  return {
    ruleId: rule,
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: 1 } } }],
    partialFingerprints: { primaryLocationLineHash: fingerprint },
    ...(suppressions !== undefined && { suppressions }),
  };
}
