import {
  controlStimulus,
  inconclusiveIfUntriggered,
  underFault,
} from '../engine/control/control-stimulus.ts';
import { byEnd } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, type Form, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { FaultRule } from '../engine/model/deployment.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { Trial } from '../engine/model/stimulus.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { describeSuccess, dispositionOf, isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson } from '../engine/reading/json.ts';
import { holdsErrorObject } from './error-object.ts';

/** A chat with an armed fault that refuses it; `counterpart` is the same chat without the fault. */
export interface ArmedRefusalTrial extends Trial {
  readonly fault: FaultRule['fault'];
  readonly fired: number;
}

type Armed = readonly [fault: FaultRule['fault'], form: Form];

/** The smallest chat, once for each of these; a run with small caps sends one for each fault. */
function armedRefusals(name: string, armed: readonly Armed[], counterpart: 'sent afresh' | 'as before') {
  const cappedCount = new Set(armed.map(([fault]) => fault)).size;
  return controlStimulus<ArmedRefusalTrial, Armed>({
    name,
    cappedCount,
    firstCount: cappedCount,
    inputs: armed,
    cost: ([, form], info) => ({
      refused: 1,
      ...(counterpart === 'sent afresh'
        ? { served: 1 }
        : { counterparts: [chatDraft(smallestChat(info, form))] }),
    }),
    send: async ([fault, form], sender, deployment, info) => {
      const chat = smallestChat(info, form);
      const { exchange, fired } = await underFault(deployment, { fault }, () =>
        sender.provoke(chatDraft(chat, { armed: 'refusal' })),
      );
      const send = counterpart === 'sent afresh' ? sender.send : sender.sendCounterpart;
      return { fault, fired, exchanges: [exchange], counterpart: await send(chatDraft(chat)) };
    },
  });
}

/**
 * Judges a chat with an armed fault: it gets an error, and an error object if the body is JSON. A gateway may answer in
 * place of the service, so a failure need not be JSON (ERR-7).
 */
const isAnsweredWithError: Judgement<ArmedRefusalTrial> = ({ fault, fired, exchanges: [exchange] }, info) => {
  const answer = answerOf(exchange);
  const error = (received: string): Ruling => {
    const isRefused = dispositionOf(exchange, info) === 'refused';
    if (!isRefused && readJson(answer).kind === 'no-json') return HOLDS;
    return isRefused && isEventStream(answer)
      ? notExercised(`the error came inside an event stream, see STR-4: ${received}`)
      : holdsErrorObject(exchange, info);
  };
  const served = (): Ruling =>
    violated('served', 'an error, because a fault was armed', describeSuccess(exchange));
  const rulings = { served, refused: error, limited: error, failed: error, unavailable: error };
  return inconclusiveIfUntriggered(fault, fired) ?? byEnd(exchange, info, rulings);
};

export const armedRateLimitError = check({
  id: 'armed-rate-limit-error',
  clauses: ['ERR-5'],
  title: 'answers with an error object when the rate limit fault is armed',
  given: armedRefusals('armed-rate-limit', [['rate_limit', 'whole']], 'as before'),
  holds: isAnsweredWithError,
});

const armedUnavailability = armedRefusals(
  'armed-unavailability',
  [
    ['model_unavailable', 'whole'],
    ['service_unavailable', 'streamed'],
    ['model_unavailable', 'streamed'],
    ['service_unavailable', 'whole'],
  ],
  'sent afresh',
);

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
    if (trial.fault !== 'service_unavailable') return notExercised('the service was not unavailable');
    const ruling = isAnsweredWithError(trial, info);
    if (ruling.kind === 'violated')
      return notExercised('it was not answered with an error object: see ERR-6');
    if (ruling.kind !== 'holds') return ruling;
    const { status } = answerOf(trial.exchanges[0]);
    if (status === 429)
      return inconclusive('the service answered with a rate limit error instead of the armed failure');
    return status >= 500 ? HOLDS : violated('failure-without-5xx', 'a 5xx status', `status ${status}`);
  },
});
