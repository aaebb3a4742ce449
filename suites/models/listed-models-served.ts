import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { chatDraft, smallestChat } from '../kit/provoking/chat-drafts.ts';
import { check } from '../kit/model/check.ts';
import type { Draft } from '../kit/model/draft.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { isServed } from '../kit/judging/is-served.ts';
import { notExercised, HOLDS, violated } from '../kit/model/ruling.ts';
import { listedModels, type KeyedModel, withKey } from '../kit/provoking/listed-models.ts';
import { stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import { answerOf, isSuccess } from '../kit/reading/answers.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';

/** The smallest chat with each listed model and the key it is listed to; the control is that of the cheapest. */
const eachListedModel = stimulus<Trial, KeyedModel>({
  name: 'each-listed-model',
  stage: 'paid',
  few: 9,
  inputs: (survey) => ({ first: listedModels(survey) }),
  cost: (listed, survey) => ({ twins: [draftFor(listed, survey), chatDraft(smallestChat(survey))] }),
  send: async (listed, sender, survey) => {
    const smallest = smallestChat(survey);
    const exchange = await sender.control(draftFor(listed, survey));
    // The cheapest is its own twin, and then has none.
    if (listed.model === smallest.model && listed.key === 'primary') return { exchanges: [exchange] };
    return { exchanges: [exchange], control: await sender.control(chatDraft(smallest)) };
  },
});

function draftFor(listed: KeyedModel, survey: Survey): Draft {
  return chatDraft({ ...smallestChat(survey), model: listed.model }, withKey(listed));
}

export const listedModelsServed = check({
  id: 'listed-models-served',
  clauses: ['MOD-2'],
  title: `serves every model that GET ${ENDPOINTS.models} lists for the key`,
  given: eachListedModel,
  holds: ({ exchanges: [exchange], control }, survey) => {
    if (exchange === undefined) return notExercised('no request was sent');
    return (control && counterpartNotAccepted(control, survey)) ?? isServed(exchange, survey);
  },
});

export const listedModelsReturnChoices = check({
  id: 'listed-models-return-choices',
  clauses: ['RES-1'],
  title: 'returns choices for every listed model, not just an acknowledgement',
  given: eachListedModel,
  holds: ({ exchanges: [exchange], control }, survey) => {
    if (exchange === undefined) return notExercised('no request was sent');
    const twin = control && counterpartNotAccepted(control, survey);
    if (twin) return twin;
    const disposition = dispositionOf(exchange, survey);
    const answer = answerOf(exchange);
    if (isEventStream(answer))
      return notExercised('the answer is an event stream, not a response: see REQ-7');
    if (disposition === 'served') return HOLDS;
    const came = describeAnswer(exchange, survey);
    if (disposition !== 'unrecognised' || !isSuccess(answer))
      return notExercised(`the request was not accepted, see MOD-2: ${came}`);
    return violated('no-choices', 'a `choices` array', `success without one (${came})`, '/choices');
  },
});
