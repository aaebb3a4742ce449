import { answerOf } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { describeAnswer, dispositionOf } from '../kit/reading/errors/disposition.ts';
import { HOLDS, inconclusive, notExercised, violated } from '../kit/model/ruling.ts';
import { visionAnswers } from './vision-answer-stimulus.ts';

export const visionAnswersGet = check({
  id: 'vision-answers-get',
  clauses: ['VIS-1'],
  title: 'answers an authorized GET of the vision capabilities that sends no payload',
  given: visionAnswers,
  holds: ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    const came = describeAnswer(exchange, survey);
    if (answerOf(exchange).status === 429) return inconclusive(`the rate limit answered: ${came}`);
    if (dispositionOf(exchange, survey) === 'served') return HOLDS;
    return violated('not-answered', 'the vision capabilities', came);
  },
});
