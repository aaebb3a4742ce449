import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import { printable } from '../../evidence/printable.ts';
import type { Paint } from '../colours.ts';
import type { CheckResult, Evidence, ShownExchange, UncertainRequest } from '../../model/summary.ts';

const MOST_EVIDENCE = 3;

/** A label, and beside it one line or more. */
function field(label: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.map((line, i) => `    ${paint('dim', (i === 0 ? label : '').padEnd(9))} ${line}`);
}

function evidenceLines(
  { finding, exchange, control, curl, timeline = [] }: Evidence,
  paint: Paint,
): readonly string[] {
  const place = finding.path === undefined ? [] : [printable(finding.path)];
  const counterpart =
    control &&
    `differs only in ${printable(control.difference)} from one that was accepted (${control.exchange.id})`;
  return [
    ...field('expected', [printable(finding.expected)], paint),
    ...field('came', [printable(finding.actual)], paint),
    ...field('at', place, paint),
    ...field(
      'request',
      [...requestLines(exchange), ...(counterpart === undefined ? [] : [counterpart])],
      paint,
    ),
    ...field('answer', [answerLine(exchange)], paint),
    ...field(
      'timeline',
      timeline.map((line) => printable(line, 200)),
      paint,
    ),
    ...field('curl', curl === '' ? [] : [printable(curl, Infinity)], paint),
  ];
}

function evidenceOf(result: CheckResult, paint: Paint): readonly string[] {
  const blocks = result.evidence.slice(0, MOST_EVIDENCE).map((evidence) => evidenceLines(evidence, paint));
  const more = result.evidence.length - blocks.length;
  return [...blocks.flat(), ...(more > 0 ? field('', [`and ${more} more like this`], paint) : [])];
}

/** Everything known of one failure; `again` is the command that runs just this check. */
export function failureLines(
  result: CheckResult,
  again: string | undefined,
  paint: Paint,
): readonly string[] {
  const clauses = result.clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`);
  return [
    `  ${paint('red', '✘')} ${paint('bold', result.id)}: ${result.title}`,
    ...field('clause', clauses, paint),
    ...(result.evidence.length === 0
      ? field('because', [printable(result.reason)], paint)
      : evidenceOf(result, paint)),
    ...field('again', again === undefined ? [] : [again], paint),
  ];
}

function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}

/** The request on one line, its headers on another, its body on a third. */
export function requestLines({ request }: ShownExchange): readonly string[] {
  const line = `${request.method} ${printable(request.path)} (key: ${printable(request.credential)})`;
  const headers = printable(headerText(request.headers));
  return [line, headers, printable(request.body ?? '')].filter((text) => text !== '');
}

/** What came back, on one line: the status and the beginning of the body, or why there is no answer. */
export function answerLine({ answer, outcome }: ShownExchange): string {
  return answer === undefined ? printable(outcome) : `${answer.status} ${printable(answer.body)}`.trimEnd();
}

/** A request nobody knows the outcome of, with what finds it in the workspace (ERR-8, CALL-2). */
function uncertainRequest({ idempotencyKey, reason, exchange }: UncertainRequest): readonly string[] {
  const key =
    idempotencyKey === undefined
      ? 'sent without an Idempotency-Key'
      : `Idempotency-Key ${printable(idempotencyKey)}`;
  return [`  ${key}: ${printable(reason)}`, ...requestLines(exchange).map((line) => `      ${line}`)];
}

/** The requests to check in the workspace before anything like them is sent again. */
export function uncertainLines(uncertain: readonly UncertainRequest[]): readonly string[] {
  return uncertain.flatMap(uncertainRequest);
}
