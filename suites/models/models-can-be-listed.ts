import { answerOf } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import { modelListings } from '../kit/provoking/get-stimulus.ts';
import { HOLDS, inconclusive, notExercised, violated } from '../kit/model/ruling.ts';

export const modelsCanBeListed = check({
  id: 'models-can-be-listed',
  clauses: ['SVC-2'],
  title: 'answers an authorized GET of the models',
  given: modelListings,
  holds: ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    const came = describeAnswer(exchange, survey);
    if (answerOf(exchange).status === 429) return inconclusive(`the rate limit answered: ${came}`);
    if (dispositionOf(exchange, survey) === 'served') return HOLDS;
    return violated('not-listed', 'the models of the key', came);
  },
});
