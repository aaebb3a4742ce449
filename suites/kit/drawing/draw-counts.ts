import { isWithheldCounterpart } from '../sending/counterparts.ts';
import type { Trial } from '../model/trial.ts';

/** What became of the draws of a run. */
export interface DrawCounts {
  readonly begun: number;
  /** Begun, and something of it was not sent. */
  readonly cut: number;
}

/** Whether something of a draw was not sent. What is withheld is not missed. */
export function isCut({ exchanges }: Trial): boolean {
  return exchanges.some((each) => each.outcome.kind === 'not-sent' && !isWithheldCounterpart(each));
}
