import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ScenarioResult, ShownExchange } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { LONGEST, type StyleText } from './colours.ts';

/** Lines beside a label. No text is escaped or cut yet. */
export interface Part {
  readonly label: string;
  readonly lines: readonly string[];
}

/** `screen`: what a reader needs first, and long texts are cut. `folded`: a failure like the one before it. */
type Extent = 'screen' | 'folded' | 'whole';

/** Everything known about a failure, and how to check it again. */
export function failureParts(result: CheckResult, extent: Extent = 'whole') {
  const { clauses, evidence, reason, hint, again } = result;
  return {
    clauses: {
      label: 'clause',
      lines: clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`),
    },
    evidence:
      evidence.length === 0 ? [part('reason', reason)] : evidence.map((each) => evidenceParts(each, extent)),
    commands: [...part('setting', hint), ...part('again', again)],
  };
}

/** The same as lines. `advice`: what to change. */
export function failureLines(
  result: CheckResult,
  styleText: StyleText,
  extent: Extent,
  advice: readonly Part[] = [],
): readonly string[] {
  const { clauses, evidence, commands } = failureParts(result, extent);
  const told =
    extent === 'folded'
      ? [{ label: 'clause', lines: result.clauses }, ...part('reason', result.reason)]
      : [clauses, ...evidence.flat()];
  return [
    `  ${styleText('red', '✘')} ${styleText('bold', result.id)}: ${result.title}`,
    ...partLines([...told, ...advice, ...commands], styleText, extent === 'whole' ? Infinity : LONGEST),
  ];
}

export function partLines(parts: readonly Part[], styleText: StyleText, longest = LONGEST): string[] {
  return parts.flatMap(({ label, lines }) =>
    lines.map((text, i) => {
      const beside = styleText('dim', (i === 0 ? label : '').padEnd(9));
      return `    ${beside} ${printable(text, longest)}`;
    }),
  );
}

function part(label: string, ...lines: readonly (string | undefined)[]): readonly Part[] {
  const told = lines.filter((line): line is string => line !== undefined && line !== '');
  return told.length === 0 ? [] : [{ label, lines: told }];
}

function evidenceParts(evidence: Evidence, extent: Extent): readonly Part[] {
  const { finding, exchange, control, curl, curlNote, timeline = [] } = evidence;
  const { expected, actual, path } = finding;
  // On a screen, the difference from the accepted request says enough of it, and headers of an answer seldom matter.
  const isWhole = extent === 'whole';
  return [
    ...part('expected', expected),
    ...part('actual', actual),
    ...part('at', path === '' ? 'the whole body' : path),
    ...requestPart('request', exchange),
    ...part('', control && `differs only in ${control.difference} from an accepted request`),
    ...answerPart(exchange, isWhole),
    ...(control && isWhole ? requestPart('accepted', control.exchange) : []),
    ...part('timeline', ...timeline),
    ...part('curl', isWhole || curl.length <= LONGEST ? curl : `${curl.length} characters: see report.html`),
    ...part('note', curlNote),
  ];
}

export function requestPart(label: string, { request }: ShownExchange): readonly Part[] {
  const { method, path, credential, headers, body } = request;
  return part(label, `${method} ${path} (key: ${credential})`, headerLine(headers), body);
}

/** The answer, or why there is none. */
function answerPart({ answer, outcome }: ShownExchange, withHeaders: boolean): readonly Part[] {
  if (answer === undefined) return part('answer', outcome);
  const { status, headers, body } = answer;
  const start = outcome === 'answered' ? String(status) : `${outcome}; ${status}`;
  return part('answer', start, withHeaders ? headerLine(headers) : '', body);
}

function headerLine(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}

/** What a caller did in a scenario: what each check says of it, everything that it sent, and what it wrote. */
export function scenarioParts({ verdicts, timeline, output }: ScenarioResult): readonly Part[] {
  const alike = Map.groupBy(verdicts, ({ verdict, reason }) => [verdict, reason].filter(Boolean).join(': '));
  return [
    ...[...alike].flatMap(([words, same]) => part('checks', words, same.map(({ check }) => check).join(' '))),
    ...part('timeline', ...timeline),
    ...part('output', ...output.split('\n').filter((line) => line.trim() !== '')),
  ];
}
