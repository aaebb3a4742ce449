import type { Summary } from '../../model/summary.ts';
import type { ReportContext } from '../history.ts';
import { meaningOf, type Problem, problemsOf, shown } from './problems.ts';

const LEVELS = {
  stated: 'error',
  implied: 'error',
  convention: 'warning',
  open: 'note',
  known: 'note',
} as const satisfies Readonly<Record<Problem['weight'], string>>;

/** The text of `report.sarif` (SARIF 2.1.0): a rule for each clause that is broken, a result for each check. */
export function sarifReport(summary: Summary, context: ReportContext): string {
  const problems = problemsOf(summary, context);
  const rules = [...Map.groupBy(problems, ({ rule }) => rule)].map(([rule, own]) =>
    ruleOf(rule, own, summary),
  );
  const driver = { name: 'chat-conformance', version: context.release, rules };
  const run = {
    tool: { driver },
    // A host closes what an upload of the same category has no more: each target has a category of its own.
    ...(context.name !== undefined && { automationDetails: { id: `chat-conformance/${context.name}/` } }),
    invocations: [{ executionSuccessful: summary.outcome !== 'incomplete' }],
    results: problems.map((each) => resultOf(each, context)),
  };
  const log = { $schema: SCHEMA, version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

function ruleOf(id: string, problems: readonly Problem[], summary: Summary) {
  const text = meaningOf(id, summary);
  const remedies = new Set(problems.flatMap((each) => each.remedies));
  const [first] = problems;
  const explain = summary.notBegun === undefined ? [`chat-conformance explain ${id}`] : [];
  return {
    id,
    shortDescription: { text },
    fullDescription: { text },
    help: { text: [`${id}: ${text}`, ...remedies, ...explain].join('\n\n') },
    defaultConfiguration: { level: LEVELS[first?.weight ?? 'stated'] },
  };
}

function resultOf({ rule, weight, text, fingerprint, known }: Problem, { sourceFile }: ReportContext) {
  const artifactLocation = { uri: encodeURI(sourceFile), uriBaseId: '%SRCROOT%' };
  const suppressions = known?.map((reason) => ({ kind: 'external', justification: shown(reason) }));
  return {
    ruleId: rule,
    level: LEVELS[weight],
    message: { text },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: 1 } } }],
    partialFingerprints: { primaryLocationLineHash: fingerprint },
    ...(suppressions !== undefined && { suppressions }),
  };
}
