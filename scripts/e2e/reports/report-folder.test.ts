import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import {
  verdictsInAnnotations,
  verdictsInHtml,
  verdictsInJson,
  verdictsInJunit,
  verdictsInMarkdown,
} from '../../../suites/engine/test-support/displayed-verdicts.ts';
import { EVERY_VERDICT } from '../../../suites/engine/test-support/every-verdict.ts';
import { keepReports } from '../../cli/reports/give-reports.ts';
import { makeReportFolder, REPORT_FILES } from '../../cli/reports/report-folder.ts';
import { callCommand } from '../support/command.ts';
import { startErringService } from '../support/erring-service.ts';
import { sharedFolder } from '../support/journalled-run.ts';

const folder = sharedFolder();

const FORMS = REPORT_FILES.toSorted();

function read(name: string, form: string): string {
  return readFileSync(join(folder, name, form), 'utf8');
}

/** A service that serves everything, and so violates many clauses, always with the same head. */
async function startYielding(): Promise<string> {
  const { baseUrl } = await startErringService((_, response) => {
    response.setHeader('date', 'now');
    return false;
  });
  return baseUrl;
}

const KEY = { CHAT_API_KEY: 'sk-a-key-of-this-test-0123' };

/** Without what differs from run to run: ports, times, and keys that are fresh each time. */
function normalised(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .replaceAll(/order-[\da-zA-Z-]+/g, 'FRESH-KEY')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'THEN')
    .replaceAll(/(?<="durationMs": |time=")[\d.]+/g, 'LONG')
    .replaceAll(/(?<=\b(?:served|streamed|refused|failed)(?: \| |<\/td><td>)\d+).*/g, 'LONG')
    .replaceAll(/in [\d.]+ s/g, 'in LONG');
}

test('shows the same verdicts on the terminal, in every file and in annotations', async () => {
  const page = join(folder, 'page.md');
  const { stdout } = await callCommand(
    ['--base-url', await startYielding(), '--report', join(folder, 'one')],
    { ...KEY, GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page },
  );
  const expected = verdictsInJson(read('one', 'report.json'));
  expect(verdictsInJunit(read('one', 'junit.xml'))).toEqual(expected);
  expect(verdictsInMarkdown(read('one', 'summary.md'))).toEqual(expected);
  expect(verdictsInHtml(read('one', 'report.html'))).toEqual(expected);
  expect(readFileSync(page, 'utf8').trim()).toBe(read('one', 'summary.md').trim());
  const loud = Object.entries(expected).filter(([, verdict]) => ['fail', 'warn', 'error'].includes(verdict));
  // No other line of it is a workflow command.
  expect(stdout.match(/^::(?!(?:error|warning|notice) title=).*$/gm)).toBeNull();
  const annotated = verdictsInAnnotations(stdout.split('\n'));
  expect(annotated).toEqual(Object.fromEntries(loud));
  const failed = Array.from(stdout.matchAll(/^ {2}✘ ([\w-]+): /gm), ([, id = '']) => id);
  expect(failed.toSorted()).toEqual(
    loud
      .filter(([, s]) => s !== 'warn')
      .map(([id]) => id)
      .toSorted(),
  );
});

test('writes the same bytes for the same run, except ports, times and fresh keys, and annotates none outside a job', async () => {
  const args = ['--base-url', await startYielding(), '--seed', '5', '--skip', 'STR-2'];
  for (const name of ['first', 'second']) {
    const { code, stdout } = await callCommand([...args, '--report', join(folder, name)], KEY);
    expect([code, stdout]).toEqual([1, expect.not.stringMatching(/^::/m)]);
  }
  for (const form of FORMS) expect(normalised(read('second', form))).toBe(normalised(read('first', form)));
});

test('writes whole files and nothing else', async () => {
  const whole = join(folder, 'whole');
  makeReportFolder(whole);
  expect(await keepReports(EVERY_VERDICT, whole, undefined, false)).toBe(true);
  expect(readdirSync(whole).toSorted()).toEqual(FORMS);
});

test('writes every other report given one that cannot be made', async () => {
  const partial = join(folder, 'partial');
  makeReportFolder(partial);
  const broken = { ...EVERY_VERDICT, open: undefined } as unknown as Summary;
  expect(await keepReports(broken, partial, undefined, false)).toBe(false);
  expect(readdirSync(partial)).toContain('junit.xml');
  expect(readdirSync(partial)).not.toContain('report.html');
});

test('returns that not all was written given a history that is a folder', async () => {
  const history = { file: folder, of: { target: 'a' } };
  expect(await keepReports(EVERY_VERDICT, undefined, { history }, false)).toBe(false);
});

test.each(FORMS)('refuses beforehand a folder in which %s is a folder', (form) => {
  const taken = join(folder, `taken-${form}`);
  mkdirSync(join(taken, form), { recursive: true });
  expect(() => makeReportFolder(taken)).toThrow(`${form} is a folder`);
});
