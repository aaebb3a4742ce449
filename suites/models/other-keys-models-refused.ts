import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';
import { check } from '../kit/model/check.ts';
import type { Draft } from '../kit/model/draft.ts';
import type { KeyName } from '../kit/model/exchange.ts';
import { refusedUnlikeCounterpart } from '../kit/judging/is-refused.ts';
import { stimulus } from '../kit/model/stimulus.ts';
import type { ListedModel, Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';

/** A model that only the owner's list holds. */
interface ForeignModel {
  readonly model: string;
  readonly owner: KeyName;
  readonly stranger: KeyName;
  readonly stream?: true;
}

/** The same chat with the key that lists its model (the control) and with one that does not. */
const otherKeysModels = stimulus<Trial, ForeignModel>({
  name: 'other-keys-models',
  stage: 'paid',
  few: 2,
  lacks: (survey) => {
    if (survey.secondModels === undefined)
      return 'no second key whose models could be listed (CHAT_SECOND_API_KEY)';
    return foreignModels(survey).length === 0 ? 'both keys list the same models' : undefined;
  },
  inputs: (survey) => ({ first: [...foreignModels(survey), ...streamedToo(survey)] }),
  cost: (foreign, survey) => ({ refused: 1, twins: [draftFor(foreign, foreign.owner, survey)] }),
  send: async (foreign, sender, survey) => ({
    control: await sender.control(draftFor(foreign, foreign.owner, survey)),
    exchanges: [await sender.send(draftFor(foreign, foreign.stranger, survey))],
  }),
});

function draftFor({ model, stream }: ForeignModel, name: KeyName, survey: Survey): Draft {
  const chat = { ...smallestChat(survey), model, ...(stream && { stream }) };
  return chatDraft(chat, { credential: { kind: 'key', name } });
}

/** The first two with `stream` true, where a completion more or less does not matter. */
function streamedToo(survey: Survey): readonly ForeignModel[] {
  return survey.thrifty ? [] : foreignModels(survey).slice(0, 2).map(streamed);
}

function streamed(foreign: ForeignModel): ForeignModel {
  return { ...foreign, stream: true };
}

function foreignModels({ models, secondModels = [] }: Survey): readonly ForeignModel[] {
  const ofSecond = missingFrom(models, secondModels).map((model): ForeignModel => ({
    model,
    owner: 'second',
    stranger: 'primary',
  }));
  const ofPrimary = missingFrom(secondModels, models).map((model): ForeignModel => ({
    model,
    owner: 'primary',
    stranger: 'second',
  }));
  const most = Math.max(ofSecond.length, ofPrimary.length);
  return Array.from({ length: most }, (_, i) => [ofSecond[i], ofPrimary[i]])
    .flat()
    .filter((pair) => pair !== undefined);
}

function missingFrom(list: readonly ListedModel[], models: readonly ListedModel[]): readonly string[] {
  const listed = new Set(list.map(({ id }) => id));
  return models.map(({ id }) => id).filter((id) => !listed.has(id));
}

export const otherKeysModelsRefused = check({
  id: 'other-keys-models-refused',
  clauses: ['MOD-2'],
  title: 'refuses a model that is listed only for another key',
  given: otherKeysModels,
  holds: (trial, survey) => refusedUnlikeCounterpart(trial, survey, 'the model is not listed for this key'),
});
