import type { Judgement } from '../kit/model/check.ts';
import { untriggered } from '../kit/control/unstruck.ts';
import type { Exchange } from '../kit/model/exchange.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { ArmedLossTrial } from './armed-loss-stimulus.ts';

type LossJudge = (exchange: Exchange, trial: ArmedLossTrial, survey: Survey) => Ruling;

/** Judges a lost answer, whether its outcome is uncertain or an answer came all the same; its control was served. */
export function ofArmedLoss(judge: LossJudge): {
  readonly holds: Judgement<ArmedLossTrial>;
  readonly tellsUncertain: Judgement<ArmedLossTrial>;
} {
  const judgement: Judgement<ArmedLossTrial> = (trial, survey) => {
    const { fault, fired, exchanges, control } = trial;
    const [exchange] = exchanges;
    if (exchange === undefined || control === undefined) return notExercised('nothing was sent');
    if (control.outcome.kind !== 'answered')
      return inconclusive(`no answer to the same chat without ${fault}: ${control.outcome.reason}`);
    return (
      untriggered(fault, fired) ?? counterpartNotAccepted(control, survey) ?? judge(exchange, trial, survey)
    );
  };
  return { holds: judgement, tellsUncertain: judgement };
}
