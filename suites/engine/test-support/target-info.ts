import type { TargetInfo } from '../model/target.ts';

/** A target by hand: two models, the second one with vision, and only the primary key. */
export function infoForTest(more: Partial<TargetInfo> = {}): TargetInfo {
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
