import type { ArmedFault, Outcome } from '../model/exchange.ts';
import { isSuccess } from '../reading/answers.ts';
import { outputTokensOf } from './output-tokens.ts';

/** What a request may have cost. */
export interface Charge {
  readonly completed: boolean;
  readonly outputTokens: number;
}

/**
 * The most that a chargeable request can have cost: an uncertain outcome counts as a completion (CALL-2), and so does a
 * failure, which nobody knows the moment of, unless it was armed.
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
