import type { OpenPointName } from '../../fixtures/open-points.ts';
import { check } from '../kit/check.ts';
import { notExercised, observed } from '../kit/ruling.ts';
import { ofVisionAnswer, PIN_VISION } from './judge-vision.ts';
import { visionAnswer } from './vision-answer-stimulus.ts';

const SHAPE = 'vision.shape' satisfies OpenPointName;
const LIST = 'vision.list' satisfies OpenPointName;

export const visionShape = check({
  id: 'vision-shape',
  clauses: ['VIS-3'],
  title: 'says in its own way where image input is available',
  given: visionAnswer,
  holds: ofVisionAnswer((reading) => {
    if (reading.kind === 'unrecognised') return notExercised(reading.reason, PIN_VISION);
    if (reading.kind === 'flag') return observed({ point: SHAPE, value: 'flag' });
    return observed({ point: SHAPE, value: reading.shape }, { point: LIST, value: reading.pointer });
  }),
});
