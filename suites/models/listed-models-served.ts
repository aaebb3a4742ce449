import { ENDPOINTS } from '../../fixtures/wire.ts';
import { chatDraft } from '../kit/provoking/chat-draft.ts';
import { check } from '../kit/check.ts';
import { unservedTwin } from '../kit/judging/is-refused.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { notExercised } from '../kit/ruling.ts';
import { smallestChat } from '../kit/provoking/smallest-chat.ts';
import { stimulus } from '../kit/stimulus.ts';
import type { Trial } from '../kit/trial.ts';

const MOST_MODELS = 20;

/** The smallest chat with each listed model; the control is the same chat with the cheapest. */
const eachListedModel = stimulus<Trial, string>({
  name: 'each-listed-model',
  stage: 'paid',
  few: 3,
  inputs: ({ models }) => ({ first: models.slice(0, MOST_MODELS).map(({ id }) => id) }),
  send: async (model, sender, survey) => {
    const smallest = smallestChat(survey);
    const exchange = await sender.control(chatDraft({ ...smallest, model }));
    // The cheapest is its own twin, and then has none.
    if (model === smallest.model) return { exchanges: [exchange] };
    return { exchanges: [exchange], control: await sender.control(chatDraft(smallest)) };
  },
});

export const listedModelsServed = check({
  id: 'listed-models-served',
  clauses: ['MOD-2'],
  title: `serves a chat with each of the models that GET ${ENDPOINTS.models} lists`,
  given: eachListedModel,
  holds: ({ exchanges: [exchange], control }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    return (control && unservedTwin(control, survey)) ?? isServed(exchange, survey);
  },
});
