import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { check } from '../kit/check.ts';
import type { Credential, KeyName } from '../kit/exchange.ts';
import { refusedUnlikeControl } from '../kit/judging/is-refused.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { ListedModel, Survey } from '../kit/survey.ts';
import type { Trial } from '../kit/trial.ts';

/** A model that only the owner's list holds. */
interface ForeignModel {
  readonly model: string;
  readonly owner: KeyName;
  readonly stranger: KeyName;
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
  inputs: (survey) => ({ first: foreignModels(survey) }),
  send: async ({ model, owner, stranger }, sender, survey) => {
    const chat = { ...smallestChat(survey), model };
    return {
      control: await sender.control(chatDraft(chat, { credential: key(owner) })),
      exchanges: [await sender.send(chatDraft(chat, { credential: key(stranger) }))],
    };
  },
});

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

function key(name: KeyName): Credential {
  return { kind: 'key', name };
}

export const otherKeysModelsRefused = check({
  id: 'other-keys-models-refused',
  clauses: ['MOD-2'],
  title: 'refuses a model that only the list of another key holds',
  given: otherKeysModels,
  holds: (trial, survey) =>
    refusedUnlikeControl(trial, survey, 'the list of this key does not hold the model'),
});
