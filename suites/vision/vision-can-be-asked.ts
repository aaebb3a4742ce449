import { check } from '../kit/model/check.ts';
import { readJson } from '../kit/reading/json.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { ofVisionAnswer, PIN_VISION } from './judge-vision.ts';
import { visionAnswer } from './vision-answer-stimulus.ts';

export const visionCanBeAsked = check({
  id: 'vision-can-be-asked',
  clauses: ['SVC-3'],
  title: 'says whether image input is available',
  given: visionAnswer,
  holds: ofVisionAnswer((reading, answer) => {
    if (reading.kind !== 'unrecognised') return HOLDS;
    const body = readJson(answer);
    const saysNothing = answer.body.length === 0 || (body.kind === 'json' && body.value === null);
    if (saysNothing) return violated('says-nothing', 'whether image input is available', 'nothing');
    return notExercised(reading.reason, PIN_VISION);
  }),
});
