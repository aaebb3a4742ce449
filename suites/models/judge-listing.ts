import { answerOf } from '../kit/reading/answers.ts';
import type { Judgement } from '../kit/model/check.ts';
import { readListing, type ModelsReading } from '../kit/reading/models/read-models.ts';
import type { Profile } from '../kit/model/profile.ts';
import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import { notServed } from '../kit/judging/is-served.ts';

/** Judges what the models endpoint answered to a GET that it served. */
export function ofListing(judge: (reading: ModelsReading, profile: Profile) => Ruling): Judgement {
  return ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    return notServed(exchange, survey) ?? judge(readListing(answerOf(exchange), survey), survey.profile);
  };
}

export function unrecognisedList(reason: string): Ruling {
  return notExercised(reason, 'pin "models.list" and "models.id" in a profile');
}
