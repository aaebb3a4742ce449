import type { RunOptions } from '../model/run.ts';
import type { Wire } from '../sending/wire.ts';

interface Ending {
  readonly options: Pick<RunOptions, 'signal' | 'journal'>;
  readonly wire: Pick<Wire, 'budget' | 'halted'>;
  /** Draws that were not sent because the run was interrupted. */
  readonly unsent: number;
  /** Why something that was armed could not be disarmed. */
  readonly leftArmed: string | undefined;
}

/** Why a run says less than it might. */
export function cutShortReasons({ options, wire, unsent, leftArmed }: Ending): readonly string[] {
  const reasons = leftArmed === undefined ? [] : [leftArmed];
  if (wire.budget.over !== undefined) reasons.push(wire.budget.over);
  if (wire.halted !== undefined) reasons.push(wire.halted);
  const failure = options.journal?.failure();
  if (failure !== undefined) reasons.push(`${failure}: ${unsent} draws were not sent`);
  if (options.signal?.aborted === true) reasons.push(`interrupted: ${unsent} draws were not sent`);
  return reasons;
}
