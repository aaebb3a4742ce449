import { printable } from '../../evidence/printable.ts';
import { requestLines } from './report-exchange.ts';
import type { UncertainRequest } from '../../model/summary.ts';

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
