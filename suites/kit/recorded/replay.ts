import type { Level } from '../../../fixtures/clauses/clauses.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Profile } from '../model/profile.ts';
import type { Ruling } from '../model/ruling.ts';
import type { RunOptions } from '../model/run.ts';
import { fails, failsAlike } from './recorded-failure.ts';

/** `unknown`: an answer is missing, or what came does not bear on the clause. */
export type ReplayOutcome = 'still fails' | 'fixed' | 'fails differently' | 'unknown';

/** What became of a failure when its requests were sent again. */
export interface Replay {
  readonly outcome: ReplayOutcome;
  readonly before: Ruling;
  readonly now: Ruling | Error;
  /** What was sent now, in the order of their ends. */
  readonly exchanges: readonly Exchange[];
}

/** A failure that can be sent again: nothing has been sent yet. */
export interface PreparedReplay {
  /** What was sent then. */
  readonly exchanges: readonly Exchange[];
  readonly send: (options: RunOptions) => Promise<Replay>;
}

/** Compares what was said then with what is said now. */
export function replayOutcome(
  before: Ruling,
  now: Ruling | Error,
  { level, profile }: { readonly level: Level; readonly profile: Profile },
): ReplayOutcome {
  if (now instanceof Error) return 'unknown';
  if (fails(now, level, profile)) return failsAlike(before, now) ? 'still fails' : 'fails differently';
  return now.kind === 'holds' || now.kind === 'observed' ? 'fixed' : 'unknown';
}
