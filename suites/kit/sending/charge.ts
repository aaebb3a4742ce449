import type { ArmedFault, Outcome } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';

/** What a request may have cost. */
export interface Charge {
  readonly completed: boolean;
  readonly outputTokens: number;
}

/**
 * The most that a chargeable request can have cost. An uncertain outcome counts as a completion (CALL-2); so does a
 * failure, which may have come after the debit, unless it was armed as a refusal.
 */
export function chargeOf(outcome: Outcome, asked: number, armed?: ArmedFault): Charge {
  const completed = outcome.kind === 'uncertain' || mayBeCharged(outcome, armed);
  return { completed, outputTokens: completed ? outputTokensOf(outcome, asked) : 0 };
}

function mayBeCharged(outcome: Outcome, armed: ArmedFault | undefined): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status } = outcome.answer;
  return isSuccess(outcome.answer) || (status >= 500 && armed !== 'refusal');
}

const REPORTED = /"(?:completion|output|generated|candidates)_?tokens?(?:_?count)?"\s*:\s*(\d+)/gi;

/**
 * The output tokens of a completion: what its answer reports, whole or streamed, under any of the usual names; else the
 * most that it can be, by what was asked for and by its bytes.
 */
function outputTokensOf(outcome: Outcome, asked: number): number {
  if (outcome.kind === 'not-sent' || outcome.answer === undefined) return asked;
  const text = Buffer.from(outcome.answer.body).toString('latin1');
  const last = [...text.matchAll(REPORTED)].at(-1)?.[1];
  return last === undefined ? Math.ceil(Math.min(asked, text.length)) : Number(last);
}
