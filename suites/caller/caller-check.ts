import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { Ruling } from '../kit/model/ruling.ts';
import type { Timeline } from './timeline.ts';

/**
 * A judgement of callers: synchronous and pure, from all that was seen in one scenario to a ruling. `run` is all that
 * was seen of the caller, this scenario included, in the order in which the scenarios were played.
 */
export interface CallerCheck {
  /** Words joined by hyphens; once published it never changes its meaning. */
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** A sentence about the caller, without its subject. */
  readonly title: string;
  readonly judge: (timeline: Timeline, run: readonly Timeline[]) => Ruling;
}
