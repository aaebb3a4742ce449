import { check } from '../kit/model/check.ts';
import { observePoint } from '../kit/judging/observations.ts';
import type { VisionReading } from '../kit/reading/models/read-vision.ts';
import { notExercised, observed } from '../kit/model/ruling.ts';
import { ofVisionAnswer, PIN_VISION } from './judge-vision.ts';
import { visionAnswer } from './vision-answer-stimulus.ts';

export const visionShape = check({
  id: 'vision-shape',
  clauses: ['VIS-3'],
  title: 'says in its own way where image input is available',
  given: visionAnswer,
  holds: ofVisionAnswer((reading, _, { profile }) => {
    const seen = [
      ...observePoint('vision.shape', shapeOf(reading), profile),
      ...observePoint('vision.list', reading.kind === 'by-model' ? reading.pointer : undefined, profile),
    ];
    if (reading.kind === 'unrecognised' && seen.length === 0) return notExercised(reading.reason, PIN_VISION);
    return observed(...seen);
  }),
});

function shapeOf(reading: VisionReading): string | undefined {
  if (reading.kind === 'unrecognised') return undefined;
  return reading.kind === 'flag' ? 'flag' : reading.shape;
}
