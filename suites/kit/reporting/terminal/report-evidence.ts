import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ShownExchange } from '../../model/summary.ts';
import { printable } from '../../evidence/printable.ts';

const whole = (text: string): string => printable(text, Infinity);

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `  ${whole(name)}: ${whole(value)}`);
}

function bodyLines(body: string | undefined): readonly string[] {
  return body === undefined || body === '' ? [] : [`  ${whole(body)}`];
}

function exchangeLines({ request, answer, outcome }: ShownExchange): readonly string[] {
  const { method, path, credential, headers, body } = request;
  return [
    `request ${method} ${whole(path)} (${whole(credential)})`,
    ...headerLines(headers),
    ...bodyLines(body),
    answer === undefined ? whole(outcome) : `answer ${answer.status}`,
    ...(answer === undefined ? [] : [...headerLines(answer.headers), ...bodyLines(answer.body)]),
  ];
}

function evidenceLines({ finding, exchange, control, curl, timeline = [] }: Evidence): readonly string[] {
  const { code, path, expected, actual } = finding;
  return [
    '',
    `${code}${path === undefined ? '' : ` at ${whole(path)}`}`,
    `expected ${whole(expected)}`,
    `came ${whole(actual)}`,
    ...exchangeLines(exchange),
    ...(control === undefined
      ? []
      : [`it differs only in ${whole(control.difference)} from this one, which was accepted:`]),
    ...(control === undefined ? [] : exchangeLines(control.exchange).map((line) => `  ${line}`)),
    ...(timeline.length === 0 ? [] : ['timeline', ...timeline.map((line) => `  ${whole(line)}`)]),
    ...(curl === '' ? [] : [whole(curl)]),
  ];
}

/** All that stands behind a verdict, as lines for a file: nothing cut, and nothing that is no visible character. */
export function evidenceText({ title, clauses, reason, evidence }: CheckResult): string {
  const stated = clauses.map((id) => `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`);
  return [title, ...stated, whole(reason), ...evidence.flatMap(evidenceLines)].join('\n');
}
