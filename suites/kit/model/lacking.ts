import { isChargeable } from './exchange.ts';
import type { Cost } from './cost.ts';
import type { RunOptions } from './run.ts';

import type { Stimulus } from './stimulus.ts';
import type { TargetInfo } from './target.ts';

/** Why a stimulus cannot be sent to a target in this run; undefined when it can. */
export function lacking(
  { stage, skipReason }: Stimulus,
  info: TargetInfo,
  allow: RunOptions['allow'],
): string | undefined {
  // What needs the control URL says so itself.
  const isForbidden = (stage === 'disruptive' || stage === 'costly') && !allow.has(stage);
  return isForbidden ? `it is ${stage}: give leave with --allow ${stage}` : skipReason?.(info);
}

export const WITHHELD = 'it takes a completion, and this run asks for none';

/** Whether anything of a draw is left to send where nothing is sent that must be served. */
export function isSendable({ reads = 0, refused = 0, served = 0, counterparts = [] }: Cost): boolean {
  if (served > 0) return false;
  return reads + refused > 0 || counterparts.some((counterpart) => !isChargeable(counterpart));
}
