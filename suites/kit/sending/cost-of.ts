import type { Outcome } from '../exchange.ts';
import { outputTokensOf } from './output-tokens.ts';

/** What a request may have cost. */
export interface Cost {
  readonly completed: boolean;
  readonly outputTokens: number;
}

/** The most that a chargeable request can have cost: an uncertain outcome counts as a completion (CALL-2). */
export function costOf(outcome: Outcome, asked: number): Cost {
  const completed =
    outcome.kind === 'uncertain' || (outcome.kind === 'answered' && outcome.answer.status < 300);
  return { completed, outputTokens: completed ? outputTokensOf(outcome, asked) : 0 };
}
