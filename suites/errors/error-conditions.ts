import { HEADERS } from '../../fixtures/chats/chat.ts';
import { observationsOf, type Condition, observeRefusal } from '../engine/inputs/judging/observations.ts';
import {
  chatDraft,
  refusedChats,
  smallestChat,
  tooMuchOutput,
  unknownKey,
} from '../engine/inputs/provoking/chat-drafts.ts';
import {
  type BurstTrial,
  LARGEST_WAVE,
  rateLimitBurst,
  WAVE,
} from '../engine/inputs/provoking/rate-limit-burst.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { inconclusive, notExercised, observed, type Ruling } from '../engine/model/ruling.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { type ItemReading, pointerOf } from '../engine/reading/locate.ts';
import { isRateLimited } from '../engine/sending/rate-limit-error.ts';
import { holdsErrorObject } from './error-object.ts';

/** One refusal for each condition that a single request can cause. */
const errorConditions = stimulus<Trial & { readonly condition: Condition }, readonly [Condition, Draft]>({
  name: 'error-conditions',
  stage: 'free',
  cappedCount: 7,
  inputs: (info) => ({ examples: questions(info) }),
  cost: () => ({ refused: 1 }),
  send: async ([condition, draft], sender) => ({ condition, exchanges: [await sender.send(draft)] }),
});

function questions(info: TargetInfo): readonly (readonly [Condition, Draft])[] {
  const chat = smallestChat(info);
  const refused = refusedChats(info);
  return [
    ['unknown_field', refused['an unknown field']],
    ['invalid_value', chatDraft({ ...chat, temperature: 'hot' })],
    ['unknown_model', refused['an unknown model']],
    ['token_limit', tooMuchOutput(chat)],
    ['malformed_body', refused['malformed JSON']],
    ['missing_key', chatDraft(chat, { credential: { kind: 'none' } })],
    ['unknown_key', chatDraft(chat, { credential: unknownKey() })],
  ];
}

export const errorCodesObserved = check({
  id: 'error-codes',
  clauses: ['ERR-9'],
  title: 'chooses a status and a code for each error condition',
  given: errorConditions,
  holds: ({ condition, exchanges: [exchange] }, info) => observeRefusal(condition, exchange, info),
});

export const errorPlacesObserved = check({
  id: 'error-places',
  clauses: ['ERR-9'],
  title: 'chooses where an error holds its code, message and request ID',
  given: errorConditions,
  holds: ({ exchanges: [exchange] }, info) => {
    if (dispositionOf(exchange, info) !== 'refused') return notExercised('the request was not refused');
    const { code, message, requestId } = readError(answerOf(exchange), info) ?? {};
    const found = {
      'error.code': pointerOf(code),
      'error.message': pointerOf(message),
      'error.request_id': pointerOf(requestId),
      'error.request_id.source': sourceOf(requestId, exchange),
    };
    const places = observationsOf(found, info.profile);
    return places.length > 0
      ? observed(...places)
      : notExercised('no code, message or request ID was recognised');
  },
});

/** The caller's key identifies a request too, but not two requests that share it. */
function sourceOf(item: ItemReading | undefined, { request }: Exchange): string | undefined {
  if (typeof item !== 'object') return undefined;
  return item.value === request.headers[HEADERS.idempotencyKey] ? 'idempotency_key' : 'own';
}

/** Judges the exchange at which the burst ended, if it is a rate limit error. */
const limited =
  (judge: (exchange: Exchange, info: TargetInfo) => Ruling): Judgement<BurstTrial> =>
  ({ exchanges: [exchange], atOnce, stopped }, info) => {
    if (isRateLimited(exchange.outcome)) return judge(exchange, info);
    if (dispositionOf(exchange, info) === 'failed')
      return inconclusive(
        `the service failed when ${atOnce} requests arrived at the same time, see ERR-11: ${describeAnswer(exchange, info)}`,
      );
    const met = `${atOnce} simultaneous requests hit no rate limit`;
    if (stopped !== undefined) return notExercised(`${met} (${stopped})`);
    return notExercised(info.thrifty ? `${met}: --tier exhaustive looks for a higher one` : met);
  };

export const rateLimitError = check({
  id: 'rate-limit-error',
  clauses: ['ERR-5'],
  title: 'answers too many simultaneous requests with a rate limit error',
  given: rateLimitBurst,
  thresholds: { 'simultaneous requests': WAVE, 'simultaneous requests in an exhaustive run': LARGEST_WAVE },
  holds: limited(holdsErrorObject),
});

export const rateLimitObserved = check({
  id: 'rate-limit-code',
  clauses: ['ERR-9'],
  title: 'chooses a status and a code for a rate limit error',
  given: rateLimitBurst,
  holds: limited((exchange, info) => observeRefusal('rate_limit', exchange, info)),
});
