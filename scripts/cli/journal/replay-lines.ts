import { HEADERS } from '../../../fixtures/chats/wire.ts';
import { answerLine, requestLines } from '../../../suites/kit/reporting/terminal/failures.ts';
import { printable } from '../../../suites/kit/evidence/printable.ts';
import { showExchange } from '../../../suites/kit/evidence/show-exchange.ts';
import type { Replay, ReplayOutcome } from '../../../suites/kit/recorded/replay.ts';
import type { Ruling } from '../../../suites/kit/model/ruling.ts';
import { EXIT } from '../terminal/exit.ts';

/** What the exit code of a replay says. */
export const REPLAY_EXIT: Readonly<Record<ReplayOutcome, number>> = {
  fixed: EXIT.conformant,
  'still fails': EXIT.violations,
  'fails differently': EXIT.violations,
  unknown: EXIT.incomplete,
};

/** A replay as text: what was sent, what came, and what that means. */
export function replayLines({ exchanges, before, now, outcome }: Replay): readonly string[] {
  const sent = exchanges.map(showExchange).flatMap((exchange) => {
    const [line = '', headers = '', body = ''] = requestLines(exchange);
    return [line, ...[headers, body].filter(Boolean).map(indented), indented(`→ ${answerLine(exchange)}`)];
  });
  const uncertain = uncertainLines(exchanges);
  return [...sent, '', ...uncertain, `before: ${said(before)}`, `now:    ${said(now)}`, '', outcome];
}

/** Nobody sends them again before they were looked up (CALL-2). */
function uncertainLines(exchanges: Replay['exchanges']): readonly string[] {
  const uncertain = exchanges.filter(({ outcome, armed }) => outcome.kind === 'uncertain' && !armed);
  return uncertain.map(({ request }) => {
    const key = request.headers[HEADERS.idempotencyKey] ?? '(none)';
    return `its outcome is unknown, check it in the workspace: Idempotency-Key ${key}`;
  });
}

const indented = (line: string): string => `    ${line}`;

function said(ruling: Ruling | Error): string {
  if (ruling instanceof Error) return printable(`a failure of ours: ${ruling.message}`);
  switch (ruling.kind) {
    case 'holds':
      return 'as it should be';
    case 'violated':
      return printable(`expected ${ruling.finding.expected}; got ${ruling.finding.actual}`);
    case 'observed':
      return printable(
        ruling.observations.map(({ point, value }) => `${point}: ${JSON.stringify(value)}`).join(', '),
      );
    case 'not-exercised':
    case 'inconclusive':
      return printable(ruling.reason);
  }
}
