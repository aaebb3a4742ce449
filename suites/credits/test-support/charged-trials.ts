import type { WorkspaceRequest } from '../../engine/model/deployment.ts';
import { type AnswerForTest, answered } from '../../engine/test-support/exchange.ts';
import { SERVED } from '../../engine/test-support/rulings.ts';
import type { BalanceChange, ChargedTrial } from '../completions-debited.ts';

/** What a faithful workspace shows of a completion that costs seven credits. */
export const CHARGED: WorkspaceRequest = {
  requestId: 'r-1',
  state: 'succeeded',
  reservation: { credits: 20, state: 'consumed' },
  debit: 7,
};

/** A workspace of a hundred credits: so many are taken, and so many more held afterwards. */
export function change(spent: number, held = 0): BalanceChange {
  return { before: { available: 100, held: 5 }, after: { available: 100 - spent - held, held: 5 + held } };
}

/** A completion that costs seven credits, except for what is given. */
export function chargedTrial(more: Partial<ChargedTrial> = {}, answer: AnswerForTest = SERVED): ChargedTrial {
  return { exchanges: [answered(answer)], records: [CHARGED], change: change(7), ...more };
}
