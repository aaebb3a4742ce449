import { controlStimulus, inconclusiveIfUntriggered } from '../engine/control/control-stimulus.ts';
import { counterpartNotAccepted } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { FaultRule } from '../engine/model/deployment.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { Stimulus, Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import {
  describeAnswer,
  describeSuccess,
  dispositionOf,
  isEventStream,
} from '../engine/reading/errors/disposition.ts';
import { readError } from '../engine/reading/errors/read-error.ts';
import { readJson } from '../engine/reading/json.ts';
import { isPageOfFront } from './fronts.ts';

/** A chat with an armed fault that refuses it; `counterpart` is the same chat without the fault. */
export interface ArmedRefusalTrial extends Trial {
  readonly fault: FaultRule['fault'];
  /** How often the fault triggered. */
  readonly fired: number;
}

/** A fault, and the form of the chat that triggers it. */
type Armed = readonly [fault: FaultRule['fault'], form: Form];

export interface ArmedRefusals {
  readonly name: string;
  /** How many of them a run with small caps sends. */
  readonly cappedCount: number;
  readonly firstCount?: number;
  readonly armed: readonly Armed[];
  /** Whether the counterpart is sent `afresh` after the fault, or may have been sent `before`. */
  readonly counterpart: 'afresh' | 'before';
}

/** The smallest chat, once for each of these. */
function armedRefusals({
  name,
  cappedCount,
  firstCount = 1,
  armed,
  counterpart,
}: ArmedRefusals): Stimulus<ArmedRefusalTrial> {
  return controlStimulus<ArmedRefusalTrial, Armed>({
    name,
    cappedCount,
    firstCount,
    inputs: armed,
    cost: ([, form], info) => ({
      refused: 1,
      ...(counterpart === 'afresh' ? { served: 1 } : { counterparts: [chatDraft(smallestChat(info, form))] }),
    }),
    send: async ([fault, form], sender, deployment, info) => {
      const chat = smallestChat(info, form);
      await deployment.arm({ fault });
      const exchange = await sender.provoke(chatDraft(chat, { armed: 'refusal' }));
      const fired = await deployment.triggerCount();
      await deployment.disarm();
      const send = counterpart === 'afresh' ? sender.send : sender.sendCounterpart;
      return { fault, fired, exchanges: [exchange], counterpart: await send(chatDraft(chat)) };
    },
  });
}

/**
 * Judges a chat with an armed fault: it gets an error, and an error object if the body is JSON. A gateway may answer in
 * place of the service, so a failure need not be JSON (ERR-7).
 */
export const isAnsweredWithError: Judgement<ArmedRefusalTrial> = (trial, info) => {
  const { fault, fired, exchanges, counterpart } = trial;
  const [exchange] = exchanges;
  if (exchange === undefined || counterpart === undefined) return notExercised('no request was sent');
  return (
    inconclusiveIfUntriggered(fault, fired) ??
    counterpartNotAccepted(counterpart, info) ??
    errorRuling(exchange, info)
  );
};

function errorRuling(exchange: Exchange, info: TargetInfo): Ruling {
  const received = describeAnswer(exchange, info);
  const disposition = dispositionOf(exchange, info);
  if (disposition === 'served')
    return violated('served', 'an error, because a fault was armed', describeSuccess(exchange));
  if (disposition === 'unrecognised')
    return inconclusive(`neither a completion nor an error was recognised: ${received}`);
  const answer = answerOf(exchange);
  if (disposition === 'refused' && isEventStream(answer))
    return notExercised(`the error came inside an event stream, see STR-4: ${received}`);
  const isJson = readJson(answer).kind === 'json';
  if (isJson && readError(answer, info) === undefined)
    return violated('no-error-object', 'an error object', `JSON without one (${received})`);
  if (disposition === 'refused' && isPageOfFront(answer))
    return inconclusive(`a page that may be a front's, see ERR-1: ${received}`);
  if (!isJson && disposition === 'refused')
    return violated('no-error-object', 'an error object', `a body that is not JSON (${received})`);
  return HOLDS;
}

export const armedRateLimitError = check({
  id: 'armed-rate-limit-error',
  clauses: ['ERR-5'],
  title: 'answers with an error object when the rate limit fault is armed',
  given: armedRefusals({
    name: 'armed-rate-limit',
    cappedCount: 1,
    armed: [['rate_limit', 'whole']],
    counterpart: 'before',
  }),
  holds: isAnsweredWithError,
});

const armedUnavailability = armedRefusals({
  name: 'armed-unavailability',
  cappedCount: 2,
  firstCount: 2,
  armed: [
    ['model_unavailable', 'whole'],
    ['service_unavailable', 'streamed'],
    ['model_unavailable', 'streamed'],
    ['service_unavailable', 'whole'],
  ],
  counterpart: 'afresh',
});

export const unavailabilityIsError = check({
  id: 'unavailability-is-error',
  clauses: ['ERR-6'],
  title: 'answers with an error while the model or the service is unavailable, and serves again afterwards',
  decides: {
    'while the model is unavailable': ({ fault }) => fault === 'model_unavailable',
    'while the service is unavailable': ({ fault }) => fault === 'service_unavailable',
  },
  given: armedUnavailability,
  holds: isAnsweredWithError,
});

export const failureStatus = check({
  id: 'failure-status',
  clauses: ['ERR-10'],
  title: 'answers with a 5xx status while the service is unavailable',
  decides: 'fails with 5xx',
  because: 'by the convention the status class distinguishes failures from refusals',
  given: armedUnavailability,
  holds: (trial, info) => {
    const [exchange] = trial.exchanges;
    if (exchange === undefined || trial.fault !== 'service_unavailable')
      return notExercised('the service was not unavailable');
    const ruling = isAnsweredWithError(trial, info);
    if (ruling.kind === 'violated')
      return notExercised('it was not answered with an error object: see ERR-6');
    if (ruling.kind !== 'holds') return ruling;
    const { status } = answerOf(exchange);
    if (status === 429) return inconclusive('a rate limit error took the place of the failure');
    return status >= 500 ? HOLDS : violated('failure-without-5xx', 'a 5xx status', `status ${status}`);
  },
});
