import { byTurns } from '../../fixtures/by-turns.ts';
import { ENDPOINTS } from '../../fixtures/wire.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { check } from '../kit/check.ts';
import type { Draft } from '../kit/draft.ts';
import type { KeyName } from '../kit/exchange.ts';
import { unservedTwin } from '../kit/judging/is-refused.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { notExercised } from '../kit/ruling.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { ListedModel, Survey } from '../kit/survey.ts';
import type { Trial } from '../kit/trial.ts';

const MOST_MODELS = 20;

/** A model, and the key whose list holds it. */
interface ListedTo {
  readonly model: string;
  readonly key: KeyName;
}

/** The smallest chat with each listed model and the key it is listed to; the control is that of the cheapest. */
export const eachListedModel = stimulus<Trial, ListedTo>({
  name: 'each-listed-model',
  stage: 'paid',
  few: 9,
  inputs: (survey) => ({ first: listings(survey) }),
  cost: (listed, survey) => ({ twins: [draftFor(listed, survey), chatDraft(smallestChat(survey))] }),
  send: async (listed, sender, survey) => {
    const smallest = smallestChat(survey);
    const exchange = await sender.control(draftFor(listed, survey));
    // The cheapest is its own twin, and then has none.
    if (listed.model === smallest.model && listed.key === 'primary') return { exchanges: [exchange] };
    return { exchanges: [exchange], control: await sender.control(chatDraft(smallest)) };
  },
});

function draftFor({ model, key }: ListedTo, survey: Survey): Draft {
  return chatDraft({ ...smallestChat(survey), model }, { credential: { kind: 'key', name: key } });
}

function listings({ models, secondModels = [] }: Survey): readonly ListedTo[] {
  return byTurns(listedTo('primary', models), listedTo('second', secondModels));
}

function listedTo(key: KeyName, models: readonly ListedModel[]): readonly ListedTo[] {
  return models.slice(0, MOST_MODELS).map(({ id: model }) => ({ model, key }));
}

export const listedModelsServed = check({
  id: 'listed-models-served',
  clauses: ['MOD-2'],
  title: `serves a chat with each of the models that GET ${ENDPOINTS.models} lists to the key`,
  given: eachListedModel,
  holds: ({ exchanges: [exchange], control }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    return (control && unservedTwin(control, survey)) ?? isServed(exchange, survey);
  },
});
