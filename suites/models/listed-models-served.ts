import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { isServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { listedModels, withKey } from '../engine/inputs/provoking/listed-models.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import { notExercised, HOLDS, inconclusive, violated } from '../engine/model/ruling.ts';
import { answerOf, isSuccess, isUnavailable, sentChat } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson } from '../engine/reading/json.ts';

/**
 * The smallest chat with each listed model and a key that lists it, and again where the model is unavailable; the
 * counterpart is that for the cheapest model.
 */
const eachListedModel = requestStimulus({
  name: 'each-listed-model',
  stage: 'paid',
  cappedCount: 8,
  inputs: (info) => ({ examples: listedModels(info) }),
  requests: ({ model, key }, info) => {
    const smallest = smallestChat(info);
    const draft = chatDraft({ ...smallest, model }, withKey({ key }));
    return {
      // The chat for the cheapest model would be its own counterpart.
      ...((model !== smallest.model || key !== 'primary') && { counterpart: chatDraft(smallest) }),
      shared: [draft],
      next: { when: saysUnavailable, refused: [draft] },
    };
  },
});

function saysUnavailable({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && isUnavailable(outcome.answer);
}

export const listedModelsServed = check({
  id: 'listed-models-served',
  clauses: ['MOD-2'],
  title: `serves every model that GET ${ENDPOINTS.models} lists for the key`,
  decides: 'serves the models that it lists',
  given: eachListedModel,
  holds: ({ exchanges: [exchange] }, info) => isServed(exchange, info),
});

export const listedModelsAvailable = check({
  id: 'listed-models-available',
  clauses: ['MOD-2'],
  level: 'convention',
  because: 'a model may become unavailable at any time, and the list names those that are available',
  title: 'lists no model that is unavailable each time',
  given: eachListedModel,
  holds: ({ exchanges: [exchange, again] }, info) => {
    if (dispositionOf(exchange, info) === 'served') return HOLDS;
    const received = describeAnswer(exchange, info);
    if (!isUnavailable(answerOf(exchange)))
      return notExercised(`it is not unavailable, see listed-models-served: ${received}`);
    const model = sentChat(exchange.request)?.['model'];
    const wasUnusable = info.models.some(({ id, unusable }) => id === model && unusable === true);
    if (!wasUnusable && !(again && saysUnavailable(again)))
      return inconclusive(`it was unavailable once: ${received}`);
    return violated('unavailable', 'a completion', `${received}, each time`);
  },
});

export const listedModelsReturnChoices = check({
  id: 'listed-models-return-choices',
  clauses: ['RES-1'],
  title: 'returns choices for every listed model, not just an acknowledgement',
  given: eachListedModel,
  holds: ({ exchanges: [exchange] }, info) => {
    const disposition = dispositionOf(exchange, info);
    const answer = answerOf(exchange);
    if (isEventStream(answer))
      return notExercised('the answer is an event stream, not a response: see REQ-7');
    if (disposition === 'served') return HOLDS;
    const received = describeAnswer(exchange, info);
    if (disposition !== 'unrecognised' || !isSuccess(answer))
      return notExercised(`the request was not accepted, see MOD-2: ${received}`);
    const actual = `a body without one (${received})${whyUnread(answer)}`;
    return violated('no-choices', 'a `choices` array', actual, '/choices');
  },
});

const LONGEST_END = 20;

/** A body that was cut is no JSON: its length and its end show it. */
function whyUnread(answer: Answer): string {
  const reading = readJson(answer);
  if (reading.kind === 'json') return '';
  const { length } = answer.body;
  const end = JSON.stringify(Buffer.from(answer.body).toString().slice(-LONGEST_END));
  const what = reading.reason.replace(/^a body that is /, '');
  return `, since it is ${what}${length === 0 ? '' : `: ${length} bytes, which end in ${end}`}`;
}
