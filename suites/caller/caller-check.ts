import type { ClauseId } from '../../fixtures/clauses.ts';
import type { Ruling } from '../kit/ruling.ts';
import type { Timeline } from './timeline.ts';

/** A judgement of callers: synchronous and pure, from all that was seen in one scenario to a ruling. */
export interface CallerCheck {
  /** Words joined by hyphens; once published it never changes its meaning. */
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  /** A sentence about the caller, without its subject. */
  readonly title: string;
  readonly judge: (timeline: Timeline) => Ruling;
}
