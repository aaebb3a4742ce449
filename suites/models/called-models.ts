import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { interleave } from '../../fixtures/chats/combinations.ts';
import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import {
  isRefused,
  refusedUnlikeCounterpart,
  refuses,
  requireErrorObject,
} from '../engine/inputs/judging/is-refused.ts';
import { isServed } from '../engine/inputs/judging/is-served.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { listedModels, withKey } from '../engine/inputs/provoking/listed-models.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import {
  type Answer,
  type Draft,
  type Exchange,
  type KeyName,
  missingKey,
} from '../engine/model/exchange.ts';
import { notExercised, HOLDS, inconclusive, violated } from '../engine/model/ruling.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';
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
    if (!saysUnavailable(exchange))
      return notExercised(`it is not unavailable, see listed-models-served: ${received}`);
    const model = sentChat(exchange.request)?.['model'];
    const wasUnusable = info.models.some(({ id, unusable }) => id === model && unusable === true);
    return wasUnusable || (again !== undefined && saysUnavailable(again))
      ? violated('unavailable', 'a completion', `${received}, each time`)
      : inconclusive(`it was unavailable once: ${received}`);
  },
});

export const listedModelsReturnChoices = check({
  id: 'listed-models-return-choices',
  clauses: ['RES-1'],
  title: 'returns choices for every listed model, not just an acknowledgement',
  given: eachListedModel,
  holds: ({ exchanges: [exchange] }, info) => {
    const answer = answerOf(exchange);
    if (isEventStream(answer))
      return notExercised('the answer is an event stream, not a response: see REQ-7');
    if (dispositionOf(exchange, info) === 'served') return HOLDS;
    const received = describeAnswer(exchange, info);
    if (!isSuccess(answer) || dispositionOf(exchange, info) === 'refused')
      return notExercised(`the request was not accepted, see MOD-2: ${received}`);
    const actual = `a body without one (${received})${whyUnread(answer)}`;
    return violated('no-choices', 'a `choices` array', actual, '/choices');
  },
});

/** A body that was cut is no JSON: its length and its end show it. */
function whyUnread(answer: Answer): string {
  const reading = readJson(answer);
  if (reading.kind === 'json') return '';
  const { length } = answer.body;
  const end = JSON.stringify(Buffer.from(answer.body).toString().slice(-20));
  return `, since it is ${reading.reason}${length === 0 ? '' : `: ${length} bytes, which end in ${end}`}`;
}

/** How many models of each key are tried. */
const MOST_MODELS = 20;

/** A model that is listed only to its owner. */
interface ForeignModel {
  readonly model: string;
  readonly owner: KeyName;
  readonly stranger: KeyName;
  readonly stream?: true;
}

/** The same chat with a key that lists its model (the counterpart) and with one that does not. */
const otherKeysModels = requestStimulus({
  name: 'other-keys-models',
  stage: 'paid',
  cappedCount: 2,
  skipReason: (info) => {
    if (info.secondModels === undefined)
      return info.keys.has('second') ? 'the models of the second key were not listed' : missingKey('second');
    return foreignModels(info).length === 0 ? 'both keys list the same models' : undefined;
  },
  inputs: (info) => ({ examples: examplesOf(info) }),
  requests: (foreign, info) => ({
    counterpart: draftFor(foreign, foreign.owner, info),
    refused: [draftFor(foreign, foreign.stranger, info)],
  }),
});

function draftFor({ model, stream }: ForeignModel, name: KeyName, info: TargetInfo): Draft {
  const chat = { ...smallestChat(info), model, ...(stream && { stream }) };
  return chatDraft(chat, withKey({ key: name }));
}

/** Streams may have a guard of their own: where every completion counts, the second one streams, else the first two again. */
function examplesOf(info: TargetInfo): readonly ForeignModel[] {
  const all = foreignModels(info);
  const [first, second] = [...all, ...all];
  if (first === undefined || second === undefined) return [];
  const streamed = [first, second].map((foreign): ForeignModel => ({ ...foreign, stream: true }));
  return info.thrifty
    ? [first, ...streamed.slice(1), ...all.slice(2)]
    : [...all, ...streamed.slice(0, all.length)];
}

function foreignModels({ models, secondModels = [] }: TargetInfo): readonly ForeignModel[] {
  return interleave<ForeignModel>(
    missingFrom(models, secondModels).map((model) => ({ model, owner: 'second', stranger: 'primary' })),
    missingFrom(secondModels, models).map((model) => ({ model, owner: 'primary', stranger: 'second' })),
  );
}

function missingFrom(list: readonly ListedModel[], models: readonly ListedModel[]): readonly string[] {
  const listed = new Set(list.map(({ id }) => id));
  return models.flatMap(({ id }) => (listed.has(id) ? [] : id)).slice(0, MOST_MODELS);
}

export const otherKeysModelsRefused = check({
  id: 'other-keys-models-refused',
  clauses: ['MOD-2'],
  title: 'refuses a model that is listed only for another key',
  decides: 'refuses the models of another key',
  given: otherKeysModels,
  holds: (trial, info) => refusedUnlikeCounterpart(trial, info, 'the model is not listed for this key'),
});

/** Near misses of listed IDs, and well-known names of other providers. */
const chatsWithUnlistedModels = refusals({
  name: 'unlisted-models',
  cappedCount: 12,
  fixedCount: 10,
  examples: (base, others, info) => unlistedModels(idsOf(info)).examples(base, others),
  arbitrary: (bases, info) => unlistedModels(idsOf(info)).arbitrary(bases),
});

const idsOf = ({ models }: TargetInfo): readonly string[] => models.map(({ id }) => id);

export const unlistedModelsRefused = refuses('SVC-7', {
  id: 'unlisted-models-refused',
  title: 'refuses an unlisted model ID, even a near miss or a well-known name',
  given: chatsWithUnlistedModels,
});

const isRefusedForModel = isRefused('ERR-3');

export const unlistedModelIsError = check({
  id: 'unlisted-model-is-error',
  clauses: ['ERR-3'],
  title: 'answers an invalid model ID with an error object',
  given: chatsWithUnlistedModels,
  holds: (trial, info) => requireErrorObject(isRefusedForModel(trial, info), trial, info),
});
