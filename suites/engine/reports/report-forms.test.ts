import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { reportSchema } from '../model/summary.ts';
import type { Summary } from '../model/summary.ts';
import {
  verdictsInAnnotations,
  verdictsInHtml,
  verdictsInJson,
  verdictsInJunit,
  verdictsInMarkdown,
} from '../test-support/displayed-verdicts.ts';
import { EVERY_VERDICT, HOSTILE } from '../test-support/every-verdict.ts';
import { PARTLY, SUMMARY, TROUBLED } from '../test-support/summary.ts';
import { annotations } from './annotations.ts';
import { withoutColours } from './colours.ts';
import { countText } from './display-verdict.ts';
import { htmlReport } from './html-report.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit-report.ts';
import { markdownReport } from './markdown-report.ts';
import { terminalReport } from './terminal-report.ts';

const xsd = readFileSync(new URL('../test-support/junit.xsd', import.meta.url), 'utf8');
const schema: object = JSON.parse(readFileSync(new URL('report.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv2020({ strict: false }).compile(schema);

const SUMMARIES = [
  ['without trouble', SUMMARY],
  ['with trouble', TROUBLED],
  ['with a clause in part', PARTLY],
  ['with every verdict', EVERY_VERDICT],
] as const;

test.each(SUMMARIES)(
  'returns JSON that its schema describes, every key of it, given a run %s',
  (_what, summary) => {
    const report: unknown = JSON.parse(jsonReport(summary));
    expect([validate(report), validate.errors]).toEqual([true, null]);
    expect(reportSchema.parse(report)).toEqual(report);
  },
);

test('returns the keys that others depend on, in their order', () => {
  const keys =
    'format version outcome target seed caps startedAt durationMs spent checks clauses open uncertain cutShort warnings';
  expect(Object.keys(JSON.parse(jsonReport(SUMMARY)))).toEqual(keys.split(' '));
});

test.each(SUMMARIES)('returns XML that JUnit readers take given a run %s', async (_what, summary) => {
  const xml = { fileName: 'junit.xml', contents: junitReport(summary) };
  const { errors } = await validateXML({ xml, schema: xsd });
  expect(errors).toEqual([]);
});

test.each(SUMMARIES)('says the same of every check in all forms given a run %s', (_what, summary) => {
  const expected = verdictsInJson(jsonReport(summary));
  expect(Object.keys(expected)).toHaveLength(summary.checks.length);
  expect(verdictsInJunit(junitReport(summary))).toEqual(expected);
  expect(verdictsInMarkdown(markdownReport(summary))).toEqual(expected);
  expect(verdictsInHtml(htmlReport(summary))).toEqual(expected);
});

test('names what was not seen of a clause that passed in part, in files for people', () => {
  expect(htmlReport(PARTLY)).toMatch(
    /passed in part[^]*not seen: streams, lists models \(no client\)[^]*&lt;b&gt;/,
  );
  const markdown = markdownReport(PARTLY);
  expect(markdown).toContain('| 1 passed in part | `VER-2, not seen: streams, lists models (no client)` |');
});

test('annotates the outcome, what fails, warns and is known, and nothing else', () => {
  expect(verdictsInAnnotations(annotations(EVERY_VERDICT))).toEqual({
    'check-of-fail': 'fail',
    'check-of-error': 'fail',
    'check-of-warn': 'warn',
    'check-of-known': 'fail, known',
  });
  expect(annotations(SUMMARY)).toEqual(['::notice title=Outcome::conformant']);
});

test('names a target of the configuration, for a page that shows several', () => {
  const summary = { ...SUMMARY, target: { ...SUMMARY.target, name: 'staging' } };
  expect(annotations(summary)).toEqual(['::notice title=Outcome of staging::conformant']);
  expect(markdownReport(summary)).toMatch(/^# Conformance of staging: conformant\n/);
  expect(junitReport(summary)).toContain(' name="chat-conformance of staging"');
});

const MOCK: Summary = { ...SUMMARY, target: { ...SUMMARY.target, kind: 'mock' } };

const KNOWN: Summary = {
  ...TROUBLED,
  outcome: 'conformant',
  checks: TROUBLED.checks.map((each) => ({ ...each, known: ['in spring'] })),
  baseline: { problems: [] },
};

test.each([
  ['the mock', MOCK, 'conformant (the bundled mock)'],
  ['known failures', KNOWN, 'conformant (apart from 1 known failure)'],
  [
    'an entry of the baseline that is out of date',
    { ...KNOWN, outcome: 'violations', baseline: { problems: ['it passes'] } } as const,
    'violations (apart from 1 known failure; the baseline is out of date)',
  ],
  [
    'what --fail-on names',
    { ...SUMMARY, outcome: 'violations', failedOn: ['Failed on warn: x'] } as const,
    'violations (by --fail-on)',
  ],
])(
  'says one outcome in every form, the one that decides the exit code, given %s',
  (_what, summary, words) => {
    const report: unknown = JSON.parse(jsonReport(summary));
    const { outcome } = summary;
    expect(report).toMatchObject({ outcome, target: { kind: summary.target.kind } });
    expect(terminalReport(summary, { styleText: withoutColours, detail: 'failures' })).toContain(
      `\nOutcome: ${words}\n`,
    );
    expect(markdownReport(summary).split('\n')[0]).toBe(`# Conformance: ${words}`);
    expect(htmlReport(summary)).toContain(`<title>${outcome}, ${countText(summary)}: `);
    expect(htmlReport(summary)).toContain(
      `<span class="${outcome}">${outcome}</span>, ${countText(summary)}${words.slice(outcome.length)}`,
    );
    expect(junitReport(summary)).toContain(`Outcome: ${words}`);
    expect(junitReport(summary)).toContain(`<property name="outcome" value="${outcome}"/>`);
    expect(annotations(summary)[0]).toContain(`title=Outcome::${words}`);
  },
);

test('writes one line for each annotation, escaped as workflow commands want it', () => {
  for (const line of annotations(EVERY_VERDICT)) {
    expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,\p{C}]*::[^\p{C}]*$/u);
    expect(line).not.toMatch(/%(?!25|0A|0D|3A|2C)/);
  }
});

test('lets nothing that a target wrote be markup in HTML', () => {
  const html = htmlReport(EVERY_VERDICT);
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/[^\P{C}\n]/u);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('loads nothing from elsewhere in HTML', () => {
  expect(htmlReport(EVERY_VERDICT)).not.toMatch(/src=|href="[^#]|url\(|@import/);
});

test('lets nothing that a target wrote leave its cell in Markdown', () => {
  const markdown = markdownReport(EVERY_VERDICT);
  expect(markdown).not.toMatch(/[^\P{C}\n]/u);
  for (const line of markdown.split('\n').filter((each) => each.includes('alert(1)'))) {
    // Of what stands outside of code, nothing is the target's.
    const outside = line.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '').replaceAll(/^- /g, '');
    expect(outside).toMatch(/^[\w\s|,.():-]*$/);
  }
});

test('carries the whole evidence of a failure in XML, characters that XML forbids spelt out', () => {
  const xml = junitReport(EVERY_VERDICT);
  // oxlint-disable-next-line no-control-regex -- these are what XML 1.0 forbids
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  expect(xml).toContain(String.raw`\u0000\u001b[31m\u202e\ud800\ufffe%0A@all`);
  for (const part of ['$CHAT_API_KEY', 'expected  a refusal', 'differs only in /n'])
    expect(xml).toContain(part);
});

test('is UTF-8 in every form', () => {
  for (const form of [jsonReport, junitReport, markdownReport, htmlReport]) {
    const text = form({ ...EVERY_VERDICT, cutShort: [HOSTILE] });
    expect(Buffer.from(text).toString()).toBe(text);
  }
});
