import { join } from 'node:path';
import type { CheckResult } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import type { StyleText } from './colours.ts';
import { failureParts, type Part } from './failure-parts.ts';

export interface FailureLinesOptions {
  readonly styleText: StyleText;
  /** The command that runs only this check again. */
  readonly again: string | undefined;
  /** `screen`: long texts are cut. `folded`: a failure like the one before it. */
  readonly extent: 'screen' | 'folded' | 'whole';
  /** The folder with the `report.html` that has every text whole. */
  readonly keptIn?: string | undefined;
}

/** Everything known about a failure, as lines. */
export function failureLines(result: CheckResult, options: FailureLinesOptions): readonly string[] {
  const { styleText, again, extent, keptIn } = options;
  const { id, title, clauses, reason } = result;
  const all = failureParts(result, again);
  const parts =
    extent === 'folded'
      ? [{ label: 'clause', lines: clauses }, { label: 'reason', lines: [reason] }, ...all.advice]
      : [
          all.clauses,
          ...all.evidence.flat().flatMap((part) => (extent === 'whole' ? part : forScreen(part))),
        ];
  const cut = extent === 'whole' ? [] : placeOfWhole(parts, keptIn);
  const shown = extent === 'folded' ? [...parts, ...cut] : [...parts, ...cut, ...all.advice];
  return [
    `  ${styleText('red', '✘')} ${styleText('bold', id)}: ${title}`,
    ...partLines(shown, styleText, extent === 'whole' ? Infinity : LONGEST),
  ];
}

/** On a screen, the difference from the accepted request says enough of it, and headers of an answer seldom matter. */
function forScreen(part: Part): readonly Part[] {
  if (part.label === 'accepted') return [];
  if (part.label !== 'answer' || 'lines' in part) return [part];
  return [{ label: part.label, message: { ...part.message, headers: {} } }];
}

/** Characters of a text on a screen. */
const LONGEST = 600;

/** A long body is cut in the summary already, and whole in the journal alone. */
const CUT_BODY = /… \(\d+ bytes in total\)$/;

/** Which file has the texts whole that are too long for a screen. */
function placeOfWhole(parts: readonly Part[], keptIn: string | undefined): readonly Part[] {
  const long = parts.flatMap(textsOf).filter((text) => text.length > LONGEST);
  if (long.length === 0) return [];
  if (keptIn === undefined) return [{ label: 'whole in', lines: ['no file: --report DIR keeps one'] }];
  const journal = long.some((text) => CUT_BODY.test(text)) ? [join(keptIn, 'journal.ndjson')] : [];
  return [{ label: 'whole in', lines: [join(keptIn, 'report.html'), ...journal] }];
}

function textsOf(part: Part): readonly string[] {
  if ('lines' in part) return part.lines;
  const { start, headers, body } = part.message;
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [start, named.join(' · '), body].filter((text) => text !== '');
}

/** Parts as lines beside their labels. */
export function partLines(
  parts: readonly Part[],
  styleText: StyleText,
  longest = LONGEST,
): readonly string[] {
  return parts.flatMap((part) =>
    textsOf(part).map((text, i) => {
      const label = styleText('dim', (i === 0 ? part.label : '').padEnd(9));
      return `    ${label} ${printable(text, longest)}`;
    }),
  );
}
