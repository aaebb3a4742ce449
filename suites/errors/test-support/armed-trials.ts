import type { WorkspaceRequest } from '../../engine/model/deployment.ts';
import type { Exchange } from '../../engine/model/exchange.ts';
import { answered, type AnswerForTest, brokenOff, unanswered } from '../../engine/test-support/exchange.ts';
import { SERVED } from '../../engine/test-support/rulings.ts';
import type { ArmedLossTrial } from '../armed-losses.ts';

/** A request of uncertain outcome, with the part of its answer that arrived. */
export function lost(received?: AnswerForTest): Exchange {
  return received === undefined ? unanswered(answered()) : brokenOff(answered(received));
}

/** What a faithful workspace shows of a request whose answer was lost. */
export const UNDER_REVIEW: WorkspaceRequest = {
  requestId: 'lost',
  state: 'under_review',
  reservation: { credits: 20, state: 'under_review' },
  debit: null,
};

/** What a faithful workspace shows of the same chat, served. */
export const SUCCEEDED: WorkspaceRequest = {
  requestId: 'fresh',
  state: 'succeeded',
  reservation: { credits: 20, state: 'consumed' },
  debit: 7,
};

/** A triggered gateway failure and the workspace of a faithful service, except for what is given. */
export function lossTrial(more: Partial<ArmedLossTrial> = {}): ArmedLossTrial {
  return {
    fault: 'gateway_failure',
    fired: 1,
    exchanges: [lost({ status: 504 })],
    counterpart: answered(SERVED),
    soon: [UNDER_REVIEW],
    later: [UNDER_REVIEW],
    fresh: [SUCCEEDED],
    ...more,
  };
}
