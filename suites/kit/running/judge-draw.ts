import type { Check } from '../check.ts';
import { ControlFailure } from '../control/control-failure.ts';
import type { Ruling } from '../ruling.ts';
import { Allowance } from '../sending/allowance.ts';
import type { Wire } from '../sending/wire.ts';
import type { Survey } from '../survey.ts';
import type { Trial } from '../trial.ts';
import { asError } from './as-error.ts';
import type { Draw } from './draw.ts';
import { rulingWithoutTwins } from './ruling-without-twins.ts';
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
    const trial = await sendDraw(draw, draw.id, wire, survey);
    return { trial, draw, rulings: checks.map((each) => [each, rulingOf(each, trial, survey, wire)]) };
  } catch (error) {
    const ruling = error instanceof ControlFailure ? error.ruling : asError(error);
    return { trial: { exchanges: [] }, draw, rulings: checks.map((each) => [each, ruling]) };
  }
}

/** Sends a draw, and no more than it says it costs; `id` begins the ID of each of its exchanges. */
export async function sendDraw(draw: Draw, id: string, wire: Wire, survey: Survey): Promise<Trial> {
  const allowance = new Allowance(draw.cost(survey), survey.outputTokens);
  const trial = await draw.send(wire.sender(id, allowance), survey);
  allowance.close();
  return trial;
}

function rulingOf(check: Check, trial: Trial, survey: Survey, wire: Wire): Ruling | Error {
  try {
    return judgeTrial(check, trial, survey, wire);
  } catch (error) {
    return asError(error);
  }
}

/** The ruling on a trial that lacks an answer, unless the check can tell something of it all the same. */
export function judgeTrial(check: Check, trial: Trial, survey: Survey, wire: Wire): Ruling {
  const isWithheld = wire.isWithheld.bind(wire);
  const missing = unjudgeable(trial, wire);
  if (missing === undefined) {
    return lacksTwin(trial, isWithheld)
      ? rulingWithoutTwins(check, trial, survey, isWithheld)
      : check.holds(trial, survey);
  }
  const isUncertain = trial.exchanges.some(({ outcome }) => outcome.kind === 'uncertain');
  return (isUncertain ? check.tellsUncertain?.(trial, survey) : undefined) ?? missing;
}

function lacksTwin({ exchanges, control }: Trial, isWithheld: Wire['isWithheld']): boolean {
  return [...exchanges, ...(control === undefined ? [] : [control])].some((each) => isWithheld(each));
}
