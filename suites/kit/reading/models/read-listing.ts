import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import { readOnce } from '../read-once.ts';
import { type ModelsReading, readModels } from './read-models.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile } from '../../model/profile.ts';
import type { Survey } from '../../model/target-info.ts';

const MODEL_ID = 'models.id' satisfies OpenPointName;

/** What an answer of the models endpoint says, with the IDs where this run found those that are served. */
export const readListing: (answer: Answer, survey: Survey) => ModelsReading = readOnce(
  (answer, { profile, modelIdAt }) =>
    readModels(answer, modelIdAt === undefined ? profile : withModelIdAt(profile, modelIdAt)),
);

/** A profile by which the IDs of models are read at a place. */
export function withModelIdAt(profile: Profile, pointer: string): Profile {
  return { ...profile, pins: { ...profile.pins, [MODEL_ID]: pointer } };
}
