import { printable } from '../evidence/printable.ts';
import type { NotBegun, ShownExchange } from '../model/summary.ts';

/** Headers that tell who answered, and where the service may be instead. */
const TELLING = ['server', 'via', 'location', 'content-type', 'content-encoding', 'www-authenticate'];

/** What came in place of what a run begins with: the request, its answer, the headers that tell, and the first bytes. */
export function firstAnswerLines({ exchange }: NotBegun): readonly string[] {
  const { request, answer } = { ...exchange };
  // The reason says already that there is none.
  if (request === undefined || answer === undefined) return [];
  const asked = `${request.method} ${request.path} (${request.credential})`;
  return [`${asked}: ${answer.status}`, ...tellingHeaders(answer), ...bodyLines(answer)].map((line) =>
    printable(line),
  );
}

type ShownAnswer = NonNullable<ShownExchange['answer']>;

function tellingHeaders({ headers }: ShownAnswer): readonly string[] {
  return TELLING.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
}

function bodyLines({ body }: ShownAnswer): readonly string[] {
  return body === '' ? ['(no body)'] : [body];
}
