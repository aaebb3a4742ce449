import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ShownExchange } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import type { StyleText } from './colours.ts';
import type { adviceOn } from './failure-groups.ts';

const MOST_EVIDENCE = 3;

/** How much of a failure is told: what fits a screen, or all of it. */
type Extent = 'screen' | 'whole';

/** Everything known about a failure; `rerun` is the command that runs only this check again. */
export function failureLines(
  result: CheckResult,
  rerun: string | undefined,
  styleText: StyleText,
  extent: Extent = 'screen',
): readonly string[] {
  const clauses = result.clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`);
  const fields: readonly Field[] = [
    ['clause', ...clauses],
    ...(result.evidence.length === 0
      ? [['reason', printable(result.reason)] as const]
      : evidenceFields(result.evidence, extent)),
    ['setting', ...(result.hint === undefined ? [] : [printable(result.hint, 300)])],
    ['again', ...(rerun === undefined ? [] : [rerun])],
  ];
  return [
    `  ${styleText('red', '✘')} ${styleText('bold', result.id)}: ${result.title}`,
    ...fields.flatMap((field) => fieldLines(field, styleText)),
  ];
}

/** A failure whose evidence is like that of the one before it. */
export function foldedLines(
  { id, title, clauses, reason }: CheckResult,
  rerun: string | undefined,
  styleText: StyleText,
): readonly string[] {
  const fields: readonly Field[] = [
    ['clause', clauses.join(' ')],
    ['reason', printable(reason)],
    ['again', ...(rerun === undefined ? [] : [rerun])],
  ];
  return [
    `  ${styleText('red', '✘')} ${styleText('bold', id)}: ${title}`,
    ...fields.flatMap((field) => fieldLines(field, styleText)),
  ];
}

export function adviceLines(advice: ReturnType<typeof adviceOn>, styleText: StyleText): readonly string[] {
  return advice.flatMap((field) => fieldLines(field, styleText));
}

/** A label, and the lines beside it. */
type Field = readonly [label: string, ...lines: readonly string[]];

function fieldLines([label, ...lines]: Field, styleText: StyleText): readonly string[] {
  return lines.map((line, i) => `    ${styleText('dim', (i === 0 ? label : '').padEnd(9))} ${line}`);
}

function evidenceFields(evidence: readonly Evidence[], extent: Extent): readonly Field[] {
  const shown = extent === 'whole' ? evidence : evidence.slice(0, MOST_EVIDENCE);
  const more = evidence.length - shown.length;
  return [
    ...shown.flatMap((each) => fieldsOf(each, extent)),
    ...(more > 0 ? [['', `and ${more} more like this`] as const] : []),
  ];
}

function fieldsOf(
  { finding, exchange, control, curl, timeline = [] }: Evidence,
  extent: Extent,
): readonly Field[] {
  const isWhole = extent === 'whole';
  const text = (told: string): string => printable(told, isWhole ? Infinity : undefined);
  const difference =
    control &&
    `differs only in ${text(control.difference)} from an accepted request (${text(control.exchange.id)})`;
  const accepted = isWhole && control !== undefined ? control.exchange : undefined;
  return [
    ['expected', text(finding.expected)],
    ['actual', text(finding.actual)],
    [
      'at',
      ...(finding.path === undefined ? [] : [finding.path === '' ? 'the whole body' : text(finding.path)]),
    ],
    ['request', ...requestLines(exchange, text), ...(difference === undefined ? [] : [difference])],
    ['answer', ...answerLines(exchange, text, isWhole)],
    ...(accepted === undefined ? [] : [['accepted', ...requestLines(accepted, text)] as const]),
    ['timeline', ...timeline.map((line) => (isWhole ? text(line) : printable(line, 200)))],
    ['curl', ...(curl === '' ? [] : [printable(curl, Infinity)])],
  ];
}

/** The request on one line, its headers on another, its body on a third. */
export function requestLines(
  { request }: ShownExchange,
  text: (told: string) => string = printable,
): readonly string[] {
  const { method, path, credential, headers, body = '' } = request;
  const lines = [`${method} ${text(path)} (key: ${text(credential)})`, headerLine(headers, text), text(body)];
  return lines.filter((line) => line !== '');
}

/** The status and the body, or why there is no answer. */
function answerLines(
  { answer, outcome }: ShownExchange,
  text: (told: string) => string,
  withHeaders: boolean,
): readonly string[] {
  if (answer === undefined) return [text(outcome)];
  const status = `${answer.status} ${text(answer.body)}`.trimEnd();
  return withHeaders ? [status, headerLine(answer.headers, text)] : [status];
}

function headerLine(headers: Readonly<Record<string, string>>, text: (told: string) => string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return text(lines.join(' · '));
}
