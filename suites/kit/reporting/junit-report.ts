import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import type { CheckResult, Summary, Evidence, ShownExchange } from '../model/summary.ts';
import { printable } from '../evidence/printable.ts';
import { sectionOf, isFailing, reasonOf, displayVerdict } from './display-verdict.ts';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';

/** What escaping for terminals lets through although XML 1.0 forbids it: a few code points that are no characters. */
const inEscapes = (character: string): string =>
  String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** On one line: in an attribute, the end of a line would be read as a blank. */
function message(text: string): { readonly message: string } {
  return { message: printable(text) };
}

function addCase(suite: XMLBuilder, result: CheckResult): void {
  const { id, title, verdict } = result;
  const element = suite.ele('testcase', {
    name: `${id}: ${title}`,
    classname: sectionOf(result) ?? 'chat-conformance',
    time: '0',
  });
  if (verdict === 'pass') return;
  if (isFailing(result)) {
    const type = verdict === 'error' ? 'error' : (result.failures[0]?.code ?? 'violation');
    const name = verdict === 'error' ? 'error' : 'failure';
    element.ele(name, { ...message(result.reason), type }).txt(evidenceText(result));
    return;
  }
  element.ele('skipped', message(`${displayVerdict(result)}: ${reasonOf(result)}`));
}

function addProperties(suite: XMLBuilder, { target, seed, outcome, spent }: Summary): void {
  const properties = suite.ele('properties');
  const values = { baseUrl: target.baseUrl, profile: target.profile ?? '', seed, outcome, ...spent };
  for (const [name, value] of Object.entries(values)) {
    properties.ele('property', { name, value: printable(String(value)) });
  }
}

/** A caller has none, and the schema wants one. */
function hostOf({ baseUrl, kind }: Summary['target']): string {
  return kind === 'caller' ? 'localhost' : new URL(baseUrl).hostname;
}

function counts(checks: readonly CheckResult[]): Record<string, number> {
  const failing = checks.filter(isFailing);
  const errors = failing.filter(({ verdict }) => verdict === 'error').length;
  const passed = checks.filter(({ verdict }) => verdict === 'pass').length;
  const skipped = checks.length - failing.length - passed;
  return { tests: checks.length, failures: failing.length - errors, errors, skipped };
}

/** What no check says: why the run ended early or says little, what became uncertain, and where the baseline is wrong. */
function troubles({ cutShort, warnings, uncertain, baseline }: Summary): string {
  const keys = uncertain.map(
    ({ id, idempotencyKey, reason }) => `uncertain: ${idempotencyKey ?? id}: ${reason}`,
  );
  return [...cutShort, ...warnings, ...keys, ...(baseline?.problems ?? [])]
    .map((text) => printable(text))
    .join('\n');
}

/**
 * The text of `junit.xml`: one case for each check, in the class of its section. What neither passed nor failed is
 * skipped, with its verdict and reason.
 */
export function junitReport(summary: Summary): string {
  const { target, startedAt, durationMs, checks, outcome } = summary;
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: inEscapes });
  const suite = document.ele('testsuites').ele('testsuite', {
    id: 0,
    package: 'chat-conformance',
    name: 'chat-conformance',
    timestamp: startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    hostname: hostOf(target),
    ...counts(checks),
    time: durationMs / 1000,
  });
  addProperties(suite, summary);
  for (const result of checks) addCase(suite, result);
  suite.ele('system-out').txt(`Outcome: ${outcome}`);
  suite.ele('system-err').txt(troubles(summary));
  return `${document.end({ prettyPrint: true })}\n`;
}

const whole = (text: string): string => printable(text, Infinity);

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `  ${whole(name)}: ${whole(value)}`);
}

function bodyLines(body: string | undefined): readonly string[] {
  return body === undefined || body === '' ? [] : [`  ${whole(body)}`];
}

function exchangeLines({ request, answer, outcome }: ShownExchange): readonly string[] {
  const { method, path, credential, headers, body } = request;
  return [
    `request ${method} ${whole(path)} (${whole(credential)})`,
    ...headerLines(headers),
    ...bodyLines(body),
    answer === undefined ? whole(outcome) : `answer ${answer.status}`,
    ...(answer === undefined ? [] : [...headerLines(answer.headers), ...bodyLines(answer.body)]),
  ];
}

function evidenceLines({ finding, exchange, control, curl, timeline = [] }: Evidence): readonly string[] {
  const { code, path, expected, actual } = finding;
  return [
    '',
    `${code}${path === undefined ? '' : ` at ${whole(path)}`}`,
    `expected ${whole(expected)}`,
    `came ${whole(actual)}`,
    ...exchangeLines(exchange),
    ...(control === undefined
      ? []
      : [`it differs only in ${whole(control.difference)} from this one, which was accepted:`]),
    ...(control === undefined ? [] : exchangeLines(control.exchange).map((line) => `  ${line}`)),
    ...(timeline.length === 0 ? [] : ['timeline', ...timeline.map((line) => `  ${whole(line)}`)]),
    ...(curl === '' ? [] : [whole(curl)]),
  ];
}

/** All that stands behind a verdict, as lines for a file: nothing cut, and nothing that is no visible character. */
export function evidenceText({ title, clauses, reason, evidence }: CheckResult): string {
  const stated = clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`);
  return [title, ...stated, whole(reason), ...evidence.flatMap(evidenceLines)].join('\n');
}
