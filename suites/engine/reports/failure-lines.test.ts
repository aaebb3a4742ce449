import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TROUBLED } from '../test-support/summary.ts';
import { withoutColours } from './colours.ts';
import { failureLines } from './failure-lines.ts';

/** The lines of a failure whose curl line and answer are so long. */
function linesOf(
  curl: string,
  body: string,
  options: { extent: 'screen' | 'whole'; keptIn?: string | null },
): string {
  const [failed = expect.fail()] = TROUBLED.checks;
  const [first = expect.fail()] = failed.evidence;
  const exchange = { ...first.exchange, answer: { status: 200, headers: {}, body } };
  const result = { ...failed, again: 'again', evidence: [{ ...first, exchange, curl }] };
  return failureLines(result, { styleText: withoutColours, ...options }).join('\n');
}

const LONG = `curl ${'x'.repeat(33_865)}`;
const CUT_ALREADY = `${'y'.repeat(4000)}… (9000 bytes in total)`;

test.each([
  ['nothing where nothing is cut', 'curl', '{}', 'out', undefined],
  ['the page', LONG, '{}', 'out', join('out', 'report.html')],
  ['the option that keeps one, without a folder', LONG, '{}', null, 'no file: --report DIR keeps one'],
  ['the journal, for a long body', 'curl', CUT_ALREADY, 'out', join('out', 'journal.ndjson')],
])('names %s', (_what, curl, body, keptIn, place) => {
  const text = linesOf(curl, body, { extent: 'screen', keptIn });
  expect(
    text
      .match(/^ +whole in +(.*(?:\n {14}\S.*)?)$/m)?.[1]
      ?.split(/\s{2,}/)
      .at(-1),
  ).toBe(place);
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(700);
});

test('cuts nothing in a file', () => {
  const text = linesOf(LONG, CUT_ALREADY, { extent: 'whole' });
  expect(text).toContain(LONG);
  expect(text).toContain(CUT_ALREADY);
  expect(text).not.toContain('whole in');
});
