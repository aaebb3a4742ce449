import { interleave } from '../../fixtures/chats/combinations.ts';
import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import {
  refusedUnlikeCounterpart,
  isRefused,
  requireErrorObject,
} from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { type Draft, type KeyName, missingKey } from '../engine/model/exchange.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';

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
  return chatDraft(chat, { credential: { kind: 'key', name } });
}

/** Streams may have a guard of their own: where every completion counts, the second one streams, else the first two again. */
function examplesOf(info: TargetInfo): readonly ForeignModel[] {
  const all = foreignModels(info);
  const [first, second = first, ...others] = all;
  if (first === undefined || second === undefined) return [];
  return info.thrifty ? [first, streamed(second), ...others] : [...all, ...all.slice(0, 2).map(streamed)];
}

function streamed(foreign: ForeignModel): ForeignModel {
  return { ...foreign, stream: true };
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

export const unlistedModelsRefused = check({
  id: 'unlisted-models-refused',
  clauses: ['SVC-7'],
  title: 'refuses an unlisted model ID, even a near miss or a well-known name',
  given: chatsWithUnlistedModels,
  holds: isRefused('SVC-7'),
});

const isRefusedForModel = isRefused('ERR-3');

export const unlistedModelIsError = check({
  id: 'unlisted-model-is-error',
  clauses: ['ERR-3'],
  title: 'answers an invalid model ID with an error object',
  given: chatsWithUnlistedModels,
  holds: (trial, info) => requireErrorObject(isRefusedForModel(trial, info), trial, info),
});
