import { shown } from './report-escape.ts';
import type { ShownExchange } from '../../model/summary.ts';

function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}

/** The request on one line, its headers on another, its body on a third. */
export function requestLines({ request }: ShownExchange): readonly string[] {
  const line = `${request.method} ${shown(request.path)} (key: ${shown(request.credential)})`;
  const headers = shown(headerText(request.headers));
  return [line, headers, shown(request.body ?? '')].filter((text) => text !== '');
}

/** What came back, on one line: the status and the beginning of the body, or why there is no answer. */
export function answerLine({ answer, outcome }: ShownExchange): string {
  return answer === undefined ? shown(outcome) : `${answer.status} ${shown(answer.body)}`.trimEnd();
}
