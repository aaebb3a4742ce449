import { answerOf, isSuccess } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import { counterpartNotAccepted } from '../kit/judging/is-refused.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { eachListedModel } from './listed-models-served.ts';

export const listedModelsReturnChoices = check({
  id: 'listed-models-return-choices',
  clauses: ['RES-1'],
  title: 'answers with choices whichever of its models a chat is for, and not with a promise of them',
  given: eachListedModel,
  holds: ({ exchanges: [exchange], control }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    const twin = control && counterpartNotAccepted(control, survey);
    if (twin) return twin;
    const disposition = dispositionOf(exchange, survey);
    const answer = answerOf(exchange);
    if (isEventStream(answer)) return notExercised('an event stream came in place of a response: see REQ-7');
    if (disposition === 'served') return HOLDS;
    const came = describeAnswer(exchange, survey);
    if (disposition !== 'unrecognised' || !isSuccess(answer))
      return notExercised(`it was not served, see MOD-2: ${came}`);
    return violated('no-choices', 'a `choices` array', `success without one: ${came}`, '/choices');
  },
});
