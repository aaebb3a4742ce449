import { join } from 'node:path';
import type { CheckResult } from '../model/summary.ts';
import type { StyleText } from './colours.ts';
import { LONGEST, partLines } from './columns.ts';
import { failureParts, messagePart, type Part } from './failure-parts.ts';

export interface FailureLinesOptions {
  readonly styleText: StyleText;
  /** `screen`: long texts are cut. `folded`: a failure like the one before it. */
  readonly extent: 'screen' | 'folded' | 'whole';
  /** What to change. */
  readonly advice?: readonly Part[];
  /** The folder with the `report.html` that has every text whole; null: `--report` would make one. */
  readonly keptIn?: string | null | undefined;
}

/** Everything known about a failure, as lines. */
export function failureLines(result: CheckResult, options: FailureLinesOptions): readonly string[] {
  const { styleText, extent, advice = [], keptIn } = options;
  const { clauses, evidence, commands } = failureParts(result);
  const all = [clauses, ...evidence.flat()];
  const told: Readonly<Record<typeof extent, readonly Part[]>> = {
    whole: all,
    screen: all.flatMap(forScreen),
    folded: [
      { label: 'clause', lines: result.clauses },
      { label: 'reason', lines: [result.reason] },
    ],
  };
  const parts = [...told[extent], ...placeOfWhole(told[extent], keptIn), ...advice, ...commands];
  return [
    `  ${styleText('red', '✘')} ${styleText('bold', result.id)}: ${result.title}`,
    ...partLines(parts, styleText, extent === 'whole' ? Infinity : LONGEST),
  ];
}

/** On a screen, the difference from the accepted request says enough of it, and headers of an answer seldom matter. */
function forScreen(part: Part): readonly Part[] {
  const { label, message } = part;
  if (label === 'accepted') return [];
  return [label === 'answer' && message ? messagePart(label, { ...message, headers: {} }) : part];
}

/** A long body is cut in the summary already, and whole in the journal alone. */
const CUT_BODY = /… \(\d+ bytes in total\)$/;

/** Which file has the texts whole that are too long for a screen. */
function placeOfWhole(parts: readonly Part[], keptIn: FailureLinesOptions['keptIn']): readonly Part[] {
  const long = parts.flatMap(({ lines }) => lines).filter((text) => text.length > LONGEST);
  if (long.length === 0 || keptIn === undefined) return [];
  if (keptIn === null) return [{ label: 'whole in', lines: ['no file: --report DIR keeps one'] }];
  const files = ['report.html', ...(long.some((text) => CUT_BODY.test(text)) ? ['journal.ndjson'] : [])];
  return [{ label: 'whole in', lines: files.map((file) => join(keptIn, file)) }];
}
