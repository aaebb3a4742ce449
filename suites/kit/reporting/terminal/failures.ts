import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import { printable } from '../../evidence/printable.ts';
import type { CheckResult, Evidence, ShownExchange } from '../../model/summary.ts';
import type { StyleText } from '../colours.ts';
import type { adviceOn } from '../failure-groups.ts';

const MOST_EVIDENCE = 3;

/** Everything known about a failure; `rerun` is the command that runs only this check again. */
export function failureLines(
  result: CheckResult,
  rerun: string | undefined,
  styleText: StyleText,
): readonly string[] {
  const clauses = result.clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`);
  const fields: readonly Field[] = [
    ['clause', ...clauses],
    ...(result.evidence.length === 0
      ? [['reason', printable(result.reason)] as const]
      : evidenceFields(result.evidence)),
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

function evidenceFields(evidence: readonly Evidence[]): readonly Field[] {
  const more = evidence.length - MOST_EVIDENCE;
  return [
    ...evidence.slice(0, MOST_EVIDENCE).flatMap(fieldsOf),
    ...(more > 0 ? [['', `and ${more} more like this`] as const] : []),
  ];
}

function fieldsOf({ finding, exchange, control, curl, timeline = [] }: Evidence): readonly Field[] {
  const counterpart =
    control === undefined
      ? []
      : [
          `differs only in ${printable(control.difference)} from an accepted request (${printable(control.exchange.id)})`,
        ];
  return [
    ['expected', printable(finding.expected)],
    ['actual', printable(finding.actual)],
    ['at', ...(finding.path === undefined ? [] : [placeText(finding.path)])],
    ['request', ...requestLines(exchange), ...counterpart],
    ['answer', answerLine(exchange)],
    ['timeline', ...timeline.map((line) => printable(line, 200))],
    ['curl', ...(curl === '' ? [] : [printable(curl, Infinity)])],
  ];
}

/** A JSON pointer; the empty one points to everything. */
function placeText(path: string): string {
  return path === '' ? 'the whole body' : printable(path);
}

/** The request on one line, its headers on another, its body on a third. */
export function requestLines({ request }: ShownExchange): readonly string[] {
  const { method, path, credential, headers, body = '' } = request;
  const headerText = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
  const lines = [
    `${method} ${printable(path)} (key: ${printable(credential)})`,
    printable(headerText),
    printable(body),
  ];
  return lines.filter((line) => line !== '');
}

/** The status and the beginning of the body, or why there is no answer. */
function answerLine({ answer, outcome }: ShownExchange): string {
  return answer === undefined ? printable(outcome) : `${answer.status} ${printable(answer.body)}`.trimEnd();
}
