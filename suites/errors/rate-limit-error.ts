import { observeRefusal } from '../engine/inputs/judging/observations.ts';
import { type BurstTrial, rateLimitBurst } from '../engine/inputs/provoking/rate-limit-burst.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import { isRateLimited } from '../engine/sending/rate-limit-error.ts';
import { holdsErrorObject } from './fronts.ts';

/** Judges the exchange at which the burst ended, if it is a rate limit error. */
const limited =
  (judge: (exchange: Exchange, info: TargetInfo) => Ruling): Judgement<BurstTrial> =>
  ({ exchanges: [exchange], atOnce, stopped }, info) => {
    if (isRateLimited(exchange.outcome)) return judge(exchange, info);
    if (dispositionOf(exchange, info) === 'failed')
      return inconclusive(
        `the service failed when ${atOnce} requests came at once, see ERR-11: ${describeAnswer(exchange, info)}`,
      );
    const met = `${atOnce} requests at once met no rate limit`;
    if (stopped !== undefined) return notExercised(`${met} (${stopped})`);
    return notExercised(info.thrifty ? `${met}: --tier exhaustive looks for a higher one` : met);
  };

export const rateLimitError = check({
  id: 'rate-limit-error',
  clauses: ['ERR-5'],
  title: 'answers too many requests at once with a rate limit error',
  given: rateLimitBurst,
  holds: limited(holdsErrorObject),
});

export const rateLimitObserved = check({
  id: 'rate-limit-code',
  clauses: ['ERR-9'],
  title: 'chooses a status and a code for a rate limit error',
  given: rateLimitBurst,
  holds: limited((exchange, info) => observeRefusal('rate_limit', exchange, info)),
});
