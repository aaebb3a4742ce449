import type { Answer } from '../../model/exchange.ts';
import type { Profile } from '../../model/profile.ts';
import { readModels } from './read-models.ts';
import { readVision, type VisionReading } from '../vision/read-vision.ts';
import type { ListedModel } from '../../model/target-info.ts';

export type ModelsSurvey =
  | { readonly kind: 'models'; readonly models: readonly ListedModel[] }
  | { readonly kind: 'unread'; readonly reason: string };

/**
 * What a run takes for the models of a key: those the models endpoint lists, the vision endpoint's word over
 * the record's, the profile's over both; the profile's own model first, then the cheapest.
 */
export function surveyModels(listing: Answer, vision: Answer | undefined, profile: Profile): ModelsSurvey {
  const reading = readModels(listing, profile);
  if (reading.kind !== 'models') return { kind: 'unread', reason: reading.reason };
  const models = vision === undefined ? reading.models : withVision(reading.models, vision, profile);
  return {
    kind: 'models',
    models: models.toSorted((one, other) => rank(one, profile) - rank(other, profile)),
  };
}

function withVision(models: readonly ListedModel[], answer: Answer, profile: Profile): ListedModel[] {
  const reading = readVision(
    answer,
    profile,
    models.map(({ id }) => id),
  );
  const known = namesStrangersOnly(reading, models) ? undefined : reading;
  return models.map((model) => {
    const vision = profile.models?.[model.id]?.vision ?? visionSaid(known, model);
    return vision === undefined ? model : { ...model, vision };
  });
}

/** Names that are no model's ID, such as those for people, do not say who has no vision. */
function namesStrangersOnly(reading: VisionReading, models: readonly ListedModel[]): boolean {
  if (reading.kind !== 'by-model' || reading.vision.size === 0) return false;
  return !models.some(({ id }) => reading.vision.has(id));
}

function visionSaid(reading: VisionReading | undefined, model: ListedModel): boolean | undefined {
  if (reading === undefined) return model.vision;
  if (reading.kind === 'by-model') return reading.vision.get(model.id) ?? false;
  if (reading.kind === 'flag' && !reading.available) return false;
  return model.vision;
}

/** The order of the list stays where prices are equal; a model without a price comes last. */
function rank(model: ListedModel, profile: Profile): number {
  if (model.id === profile.model) return -1;
  return model.price ?? Number.MAX_VALUE;
}
