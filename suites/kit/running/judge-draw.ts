import type { Check, JudgedDraw } from '../model/check.ts';
import { ControlError } from '../control/control-connection.ts';
import type { Ruling } from '../model/ruling.ts';
import { Allowance } from '../sending/allowance.ts';
import type { Wire } from '../sending/wire.ts';
import type { TargetInfo } from '../model/target-info.ts';
import { type Trial } from '../model/trial.ts';
import { asError } from './as-error.ts';
import type { Draw } from '../drawing/draw.ts';
import { lacksCounterpart, rulingWithoutCounterparts } from './ruling-without-counterparts.ts';
import { unjudgeable } from './unjudgeable.ts';

/** Sends a draw and puts what came before each of the checks; `id` is the draw's own unless given. Never rejects. */
export async function judgeDraw(
  draw: Draw,
  checks: readonly Check[],
  wire: Wire,
  info: TargetInfo,
  id = draw.id,
): Promise<JudgedDraw> {
  const { trial, missing } = await sent(draw, wire, info, id);
  return {
    id,
    stimulus: draw.stimulus.name,
    among: draw.among,
    trial,
    ...(missing !== undefined && { missing }),
    rulings: checks.map((each) => [each, rulingOf(each, trial, info, missing)]),
  };
}

async function sent(
  draw: Draw,
  wire: Wire,
  info: TargetInfo,
  id: string,
): Promise<{ readonly trial: Trial; readonly missing: Ruling | Error | undefined }> {
  try {
    // No more than it says it costs.
    const allowance = new Allowance(draw.cost(info), info.outputTokens);
    const trial = await draw.send(wire.sender(id, allowance), info);
    allowance.close();
    return { trial, missing: unjudgeable(trial, wire) };
  } catch (error) {
    return {
      trial: { exchanges: [] },
      missing: error instanceof ControlError ? error.ruling : asError(error),
    };
  }
}

/** `missing`: what is said of a trial that lacks an answer, unless the check can tell something of it all the same. */
export function rulingOf(
  check: Check,
  trial: Trial,
  info: TargetInfo,
  missing: Ruling | Error | undefined,
): Ruling | Error {
  try {
    if (missing === undefined)
      return lacksCounterpart(trial)
        ? rulingWithoutCounterparts(check, trial, info)
        : check.holds(trial, info);
    const isUncertain = trial.exchanges.some(({ outcome }) => outcome.kind === 'uncertain');
    return (isUncertain ? check.tellsUncertain?.(trial, info) : undefined) ?? missing;
  } catch (error) {
    return asError(error);
  }
}
