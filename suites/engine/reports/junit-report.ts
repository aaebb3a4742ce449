import { addressOf } from '../model/network.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { withoutColours } from './colours.ts';
import {
  displayReason,
  displayVerdict,
  isFailing,
  sectionOf,
  ofTarget,
  outcomeText,
} from './display-verdict.ts';
import { failureLines, type Part } from './failure-parts.ts';
import { html as xml, type Markup } from './markup.ts';
import { type Section, sections } from './sections.ts';

/** The text of `junit.xml`: one case per check, with its section as class; skipped if neither passed nor failed. */
export function junitReport(summary: Summary): string {
  const { target, startedAt, durationMs, checks } = summary;
  const all = sections(summary);
  const items = all.flatMap((section) => section.items);
  const ofRun = items.flatMap(({ results, text }) => (results.length === 0 ? text : []));
  const begin = all.find(({ kind }) => kind === 'not-begun');
  const cases = checks.map((result) =>
    caseOf(result, items.find(({ results }) => results.includes(result))?.advice ?? []),
  );
  // A caller has no host, and the schema wants one.
  const host = target.kind === 'caller' ? 'localhost' : new URL(addressOf(target.baseUrl).origin).hostname;
  const attributes = {
    id: 0,
    package: 'chat-conformance',
    name: `chat-conformance${ofTarget(summary)}`,
    timestamp: startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    hostname: host,
    ...counts(summary),
    time: durationMs / 1000,
  };
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite${Object.entries(attributes).map(([name, value]) => xml` ${name}="${value}"`)}>
    <properties>${propertiesOf(summary)}
    </properties>${begin === undefined ? '' : beginning(begin)}${cases}
    <system-out>Outcome: ${outcomeText(summary)}</system-out>
    <system-err>${textLines(ofRun)}</system-err>
  </testsuite>
</testsuites>
`.markup;
}

function textLines(lines: readonly string[]): readonly Markup[] {
  return lines.map((line, i) => (i === 0 ? xml`${line}` : xml`\n${line}`));
}

function counts({ checks, notBegun }: Summary): Record<string, number> {
  if (notBegun !== undefined)
    return { tests: checks.length + 1, failures: 0, errors: 1, skipped: checks.length };
  const failing = checks.filter(isFailing);
  const errors = failing.filter(({ verdict }) => verdict === 'error').length;
  const passed = checks.filter(({ verdict }) => verdict === 'pass').length;
  const skipped = checks.length - failing.length - passed;
  return { tests: checks.length, failures: failing.length - errors, errors, skipped };
}

function propertiesOf({ target, seed, outcome, spent }: Summary): readonly Markup[] {
  const values = {
    baseUrl: target.baseUrl,
    kind: target.kind,
    profile: target.profile ?? '',
    ...(target.passing !== true && { seed }),
    outcome,
    ...spent,
  };
  return Object.entries(values).map(
    ([name, value]) => xml`
      <property name="${name}" value="${value}"/>`,
  );
}

/** A run that judged nothing must not look like one that skipped everything. */
function beginning({ items }: Section): Markup {
  const [first] = items;
  return xml`
    <testcase name="preflight: reaches the service, and reads its models" classname="chat-conformance" time="0">
      <error message="${first?.text ?? ''}" type="not-begun">${textLines(items.map(({ text }) => text))}</error>
    </testcase>`;
}

function caseOf(result: CheckResult, advice: readonly Part[]): Markup {
  const { id, title, durationMs = 0 } = result;
  return xml`
    <testcase name="${`${id}: ${title}`}" classname="${sectionOf(result) ?? 'chat-conformance'}" time="${(durationMs / 1000).toFixed(4)}">${endOf(result, advice)}</testcase>`;
}

function endOf(result: CheckResult, advice: readonly Part[]): Markup | string {
  const { verdict, reason, failures } = result;
  if (verdict === 'pass') return '';
  if (!isFailing(result))
    return xml`<skipped message="${`${displayVerdict(result)}: ${displayReason(result)}`}"/>`;
  const lines = textLines(failureLines(result, withoutColours, 'whole', advice));
  return verdict === 'error'
    ? xml`<error message="${reason}" type="error">${lines}</error>`
    : xml`<failure message="${reason}" type="${failures[0]?.code ?? 'violation'}">${lines}</failure>`;
}
