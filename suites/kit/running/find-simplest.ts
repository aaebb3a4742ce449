import { requestsOf } from '../cost.ts';
import { SEARCH } from '../planning/plan-spending.ts';
import type { RunOptions } from '../run.ts';
import type { Wire } from '../sending/wire.ts';
import type { Survey } from '../survey.ts';
import type { Draw } from './draw.ts';
import { judgeTrial, sendDraw } from './judge-draw.ts';
import { shrink } from './shrink.ts';
import type { SuiteRun } from './suite-run.ts';
import type { Failure } from './tally.ts';

/** Looks for the simplest failure of each check, one after the other, each with an equal share of what may be sent. */
export async function findSimplest(
  { tallies, sent }: Pick<SuiteRun, 'tallies' | 'sent'>,
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
    const known = knownDraws(sent.get(check.given) ?? [], tally.failures);
    const limits = { attempts, afford: share.afford, known };
    tally.failures[0] = await shrink(failure, limits, async (draw, attempt) => {
      const trial = await sendDraw(draw, `${failure.draw?.id}~${attempt}`, wire, survey);
      return { trial, ruling: judgeTrial(check, trial, survey, wire) };
    });
  }
}

/** By their texts; only now, when something has failed, are these worth writing out. */
function knownDraws(
  sent: readonly Draw[],
  failures: readonly Failure[],
): ReadonlyMap<string, Failure | undefined> {
  const known = new Map<string, Failure | undefined>(sent.map((draw) => [draw.text(), undefined]));
  for (const failure of failures) if (failure.draw !== undefined) known.set(failure.draw.text(), failure);
  return known;
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
