import type { Profile } from '../model/profile.ts';
import type { Survey } from '../model/target-info.ts';
import type { RecordedSurvey, SurveyEntry } from './entry.ts';

/** What the preflight found, as a line of a journal. */
export function surveyEntry({ profile: _profile, keys, ...survey }: Survey): SurveyEntry {
  return { type: 'survey', survey: { ...survey, keys: [...keys] } };
}

/** The survey that was recorded, with the profile of its run. */
export function surveyFrom({ keys, ...survey }: RecordedSurvey, profile: Profile): Survey {
  return { ...survey, profile, keys: new Set(keys) };
}
