import { printable } from '../../evidence/printable.ts';
import type { ShownExchange } from '../../model/summary.ts';

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
