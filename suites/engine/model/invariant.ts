import type { ClauseId, Level } from '../../../fixtures/clauses/clauses.ts';
import type { Exchange } from './exchange.ts';
import type { Ruling } from './ruling.ts';
import type { TargetInfo } from './target.ts';

/** Looks at every exchange that was sent, answered or uncertain, in the order of their IDs, and rules in the end. */
export interface RunJudge {
  readonly note: (exchange: Exchange) => void;
  readonly rulings: () => readonly (readonly [Exchange, Ruling])[];
}

/** A judgement of every exchange of a run, whatever provoked it. */
export interface Invariant {
  readonly id: string;
  readonly clauses: readonly [ClauseId, ...ClauseId[]];
  readonly title: string;
  /** The duty of its clauses that it decides, as of a check. */
  readonly decides?: string;
  readonly because?: string;
  /** Overrides the level of the first clause; `because` then says why. */
  readonly level?: Level;
  /** Present: only a whole run shows whether a failure is fixed. It compares exchanges, or the service may fail now and then. */
  readonly ofWholeRun?: true;
  /** What it rules on the exchange that ended the target; `what` is a sentence about it. */
  readonly ofDeath?: (what: string) => Ruling;
  /** Makes the judge of what all exchanges of one run show together. */
  readonly ofRun?: (info: TargetInfo) => RunJudge;
  /** Why it is not exercised by a run of which it rules on nothing. Absent: such a run says nothing of it. */
  readonly unexercised?: string;
  /** Makes the judge of one run, which may keep state. Returns undefined for an exchange that it does not judge. */
  readonly judge: (info: TargetInfo) => (exchange: Exchange) => Ruling | undefined;
}

/** The ruling of an invariant on an exchange; an Error is a failure of ours. */
export type ExchangeRuling = readonly [Exchange, Ruling | Error];
