import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { addressOf } from '../model/network.ts';
import type { CheckResult, Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { withoutColours } from './colours.ts';
import { displayReason, displayVerdict, isFailing, sectionOf, outcomeText } from './display-verdict.ts';
import { failureLines, type Part } from './failure-parts.ts';
import { type Section, sections } from './sections.ts';

/** The text of `junit.xml`: one case per check, with its section as class; skipped if neither passed nor failed. */
export function junitReport(summary: Summary): string {
  const { target, startedAt, durationMs, checks } = summary;
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: escaped });
  const suite = document.ele('testsuites').ele('testsuite', {
    id: 0,
    package: 'chat-conformance',
    name: 'chat-conformance',
    timestamp: startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    // A caller has no host, and the schema wants one.
    hostname: target.kind === 'caller' ? 'localhost' : new URL(addressOf(target.baseUrl).origin).hostname,
    ...counts(summary),
    time: durationMs / 1000,
  });
  addProperties(suite, summary);
  const all = sections(summary);
  const items = all.flatMap((section) => section.items);
  const ofRun = items.flatMap(({ results, text }) => (results.length === 0 ? text : []));
  const begin = all.find(({ kind }) => kind === 'not-begun');
  if (begin !== undefined) addBeginning(suite, begin);
  for (const result of checks) {
    const { advice = [] } = items.find(({ results }) => results.includes(result)) ?? {};
    addCase(suite, result, advice);
  }
  suite.ele('system-out').txt(verbatim(`Outcome: ${outcomeText(summary)}`));
  suite.ele('system-err').txt(ofRun.map(onOneLine).join('\n'));
  return `${document.end({ prettyPrint: true })}\n`;
}

/** XML 1.0 forbids some noncharacters that are printable elsewhere. */
function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
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

function addProperties(suite: XMLBuilder, { target, seed, outcome, spent }: Summary): void {
  const properties = suite.ele('properties');
  const values = {
    baseUrl: target.baseUrl,
    kind: target.kind,
    profile: target.profile ?? '',
    ...(target.passing !== true && { seed }),
    outcome,
    ...spent,
  };
  for (const [name, value] of Object.entries(values)) {
    properties.ele('property', { name, value: onOneLine(String(value)) });
  }
}

/** A run that judged nothing must not look like one that skipped everything. */
function addBeginning(suite: XMLBuilder, { items }: Section): void {
  const name = 'preflight: reaches the service, and reads its models';
  const element = suite.ele('testcase', { name, classname: 'chat-conformance', time: '0' });
  const [message = '', ...lines] = items.map(({ text }) => printable(text, Infinity));
  element
    .ele('error', { message: onOneLine(message), type: 'not-begun' })
    .txt(verbatim([message, ...lines].join('\n')));
}

function addCase(suite: XMLBuilder, result: CheckResult, advice: readonly Part[]): void {
  const { id, title, verdict } = result;
  const element = suite.ele('testcase', {
    name: onOneLine(`${id}: ${title}`),
    classname: sectionOf(result) ?? 'chat-conformance',
    time: ((result.durationMs ?? 0) / 1000).toFixed(4),
  });
  if (verdict === 'pass') return;
  if (!isFailing(result)) {
    element.ele('skipped', { message: onOneLine(`${displayVerdict(result)}: ${displayReason(result)}`) });
    return;
  }
  const lines = failureLines(result, withoutColours, 'whole', advice);
  const [name, type] =
    verdict === 'error' ? ['error', 'error'] : ['failure', result.failures[0]?.code ?? 'violation'];
  element
    .ele(name, { message: onOneLine(result.reason), type: onOneLine(type) })
    .txt(verbatim(lines.join('\n')));
}

/** In an attribute, XML reads the end of a line as a blank. */
function onOneLine(text: string): string {
  return verbatim(printable(text));
}

/** The builder takes `&nbsp;` in an answer for an entity of ours: no reader knows it, and the whole file would be lost. */
function verbatim(text: string): string {
  return text.replaceAll('&', '&amp;');
}
