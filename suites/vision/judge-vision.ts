import { answerOf } from '../kit/reading/answers.ts';
import type { Judgement } from '../kit/model/check.ts';
import type { Answer } from '../kit/model/exchange.ts';
import { readVision, type VisionReading } from '../kit/reading/models/read-vision.ts';
import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { notServed } from '../kit/judging/is-served.ts';

/** What makes an answer readable, whatever its shape: only a list can be pinned. */
export const PIN_VISION =
  'pin "vision.list" in a profile, or say there which models have vision ("models": { ID: { "vision": true } })';

/** Judges what the vision endpoint answered to a GET that it served. */
export function ofVisionAnswer(
  judge: (reading: VisionReading, answer: Answer, survey: Survey) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    const elsewhere = notServed(exchange, survey);
    if (elsewhere) return elsewhere;
    const listed = survey.models.map(({ id }) => id);
    return judge(readVision(answerOf(exchange), survey.profile, listed), answerOf(exchange), survey);
  };
}
