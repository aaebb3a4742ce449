import type { RequestState } from '../../../mock-server/workspace/request-state.ts';

/** A fault of a request, as a line of a plan, and what the model of this test expects of it. */
export interface LossCase {
  readonly fault: string | null;
  readonly becomes: 'refused early' | 'lost early' | Exclude<RequestState, 'running'>;
  /** What the request waits for. */
  readonly waits: 'model' | 'late' | 'late before' | 'nothing';
}

const makeCase = (
  fault: string | null,
  becomes: LossCase['becomes'],
  waits: LossCase['waits'],
): LossCase => ({
  fault,
  becomes,
  waits,
});

export const LOSS_CASES: readonly LossCase[] = [
  makeCase(null, 'succeeded', 'model'),
  makeCase('rate_limit', 'refused early', 'nothing'),
  makeCase('model_unavailable phase=after-reservation', 'failed', 'nothing'),
  makeCase('service_unavailable phase=during-generation', 'failed', 'nothing'),
  makeCase('gateway_failure phase=after-validation', 'lost early', 'nothing'),
  makeCase('connection_reset phase=before-authentication', 'lost early', 'nothing'),
  makeCase('gateway_failure', 'under_review', 'nothing'),
  makeCase('timeout phase=after-reservation', 'under_review', 'nothing'),
  makeCase('gateway_failure then=completes', 'succeeded', 'model'),
  makeCase('connection_closed phase=after-reservation then=fails', 'failed', 'model'),
  makeCase('timeout phase=after-debit', 'succeeded', 'model'),
  makeCase('connection_closed phase=before-headers', 'succeeded', 'model'),
  makeCase('own_answer status=500 phase=after-debit', 'succeeded', 'model'),
  makeCase('own_answer status=429 phase=after-reservation then=fails', 'failed', 'model'),
  makeCase('half_open', 'under_review', 'nothing'),
  makeCase('half_open phase=before-headers', 'succeeded', 'model'),
  makeCase('rate_limit phase=after-reservation retry_after=date', 'failed', 'nothing'),
  makeCase('latency ms=1..9 phase=after-reservation', 'succeeded', 'late'),
  makeCase('latency ms=lognormal:5,50 phase=after-validation', 'succeeded', 'late before'),
  makeCase('timeout ms=5', 'succeeded', 'late'),
  makeCase('timeout ms=5 phase=after-validation', 'succeeded', 'late before'),
];
