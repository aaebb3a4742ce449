import type { Survey } from '../model/target-info.ts';

/** A survey written by hand: two models, the second one with vision, and only the primary key. */
export function surveyForTest(more: Partial<Survey> = {}): Survey {
  return {
    profile: {},
    keys: new Set(['primary']),
    models: [
      { id: 'small', vision: false },
      { id: 'sharp', vision: true },
    ],
    control: false,
    outputTokens: 16,
    thrifty: false,
    ...more,
  };
}
