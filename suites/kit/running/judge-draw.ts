import type { Check } from '../check.ts';
import { ControlFailure } from '../control/control-failure.ts';
import type { Ruling } from '../ruling.ts';
import type { Wire } from '../sending/wire.ts';
import type { Survey } from '../survey.ts';
import type { Trial } from '../trial.ts';
import { asError } from './as-error.ts';
import type { Draw } from './draw.ts';
import { unjudgeable } from './unjudgeable.ts';

/** What every check that names a stimulus made of one draw of it; an Error is a failure of ours. */
export interface JudgedDraw {
  readonly trial: Trial;
  readonly draw: Draw;
  readonly rulings: readonly (readonly [Check, Ruling | Error])[];
}

/** Sends a draw and puts what came before each of the checks. Never rejects. */
export async function judgeDraw(
  draw: Draw,
  checks: readonly Check[],
  wire: Wire,
  survey: Survey,
): Promise<JudgedDraw> {
  try {
    const trial = await draw.send(wire.sender(draw.id), survey);
    const missing = unjudgeable(trial, wire);
    return { trial, draw, rulings: checks.map((each) => [each, rulingOf(each, trial, survey, missing)]) };
  } catch (error) {
    const ruling = error instanceof ControlFailure ? error.ruling : asError(error);
    return { trial: { exchanges: [] }, draw, rulings: checks.map((each) => [each, ruling]) };
  }
}

/** `missing`: the ruling on a trial that lacks an answer, unless the check can tell something of it all the same. */
function rulingOf(check: Check, trial: Trial, survey: Survey, missing: Ruling | undefined): Ruling | Error {
  try {
    if (missing === undefined) return check.holds(trial, survey);
    const isUncertain = trial.exchanges.some(({ outcome }) => outcome.kind === 'uncertain');
    return (isUncertain ? check.tellsUncertain?.(trial, survey) : undefined) ?? missing;
  } catch (error) {
    return asError(error);
  }
}
