import type { Check } from '../check.ts';
import { requestsOf } from '../cost.ts';
import { SEARCH } from '../planning/plan-spending.ts';
import type { RunOptions } from '../run.ts';
import type { Wire } from '../sending/wire.ts';
import type { Survey } from '../survey.ts';
import type { Draw } from './draw.ts';
import { judgeTrial, sendDraw } from './judge-draw.ts';
import { shrink } from './shrink.ts';
import type { Tally } from './tally.ts';

/** Looks for the simplest failure of each check, one after the other, each with an equal share of what may be sent. */
export async function findSimplest(
  tallies: ReadonlyMap<Check, Tally>,
  { target, signal }: Pick<RunOptions, 'target' | 'signal'>,
  wire: Wire,
  survey: Survey,
): Promise<void> {
  const failed = [...tallies].filter(([, { failures }]) => failures.length > 0);
  const { attempts, requests } = SEARCH[target.kind];
  for (const [check, tally] of failed) {
    const [failure] = tally.failures;
    if (failure === undefined || signal?.aborted === true) continue;
    const share = new Share(Math.floor(requests / failed.length), survey);
    tally.failures[0] = await shrink(failure, { attempts, afford: share.afford }, async (draw, attempt) => {
      const trial = await sendDraw(draw, `${failure.draw?.id}~${attempt}`, wire, survey);
      return { trial, ruling: judgeTrial(check, trial, survey, wire) };
    });
  }
}

/** What one search may send, twins included although they may have been sent before. */
class Share {
  readonly #requests: number;
  readonly #survey: Survey;
  #taken = 0;

  constructor(requests: number, survey: Survey) {
    this.#requests = requests;
    this.#survey = survey;
  }

  readonly afford = (draw: Draw): boolean => {
    const cost = requestsOf(draw.cost(this.#survey));
    if (this.#taken + cost > this.#requests) return false;
    this.#taken += cost;
    return true;
  };
}
