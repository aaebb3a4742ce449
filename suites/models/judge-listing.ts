import { answerOf } from '../kit/reading/answer-of.ts';
import type { Judgement } from '../kit/model/check.ts';
import { readListing } from '../kit/reading/models/read-listing.ts';
import type { ModelsReading } from '../kit/reading/models/read-models.ts';
import type { Profile } from '../kit/model/profile.ts';
import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import { unserved } from '../kit/judging/unserved.ts';

/** Judges what the models endpoint answered to a GET that it served. */
export function ofListing(judge: (reading: ModelsReading, profile: Profile) => Ruling): Judgement {
  return ({ exchanges: [exchange] }, survey) => {
    if (exchange === undefined) return notExercised('nothing was sent');
    return unserved(exchange, survey) ?? judge(readListing(answerOf(exchange), survey), survey.profile);
  };
}

export function unrecognisedList(reason: string): Ruling {
  return notExercised(reason, 'pin "models.list" and "models.id" in a profile');
}
