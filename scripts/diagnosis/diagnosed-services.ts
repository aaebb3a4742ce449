import { type DefectName, defectNames } from '../../mock-server/defects/defects.ts';
import { COMBINED_DEFECTS } from '../proof/combined/combined-defects.ts';
import { SECOND_DEFECT_WORLDS } from '../proof/second-defects/second-defects.ts';
import { defectInOtherWays, worldNamed } from '../proof/worlds.ts';
import type { SymptomJob } from './symptom-run.ts';

/** The mock with each of its defects: what the signatures are made from. */
export function singleDefects(seed: number): readonly SymptomJob[] {
  return defectNames().map((name) => jobOf(name, [name], seed));
}

function jobOf(world: string, names: readonly DefectName[], seed: number): SymptomJob {
  return { world: worldNamed(world), seed, bugs: names.map((name) => [name]) };
}

/** The mock with every fourth of its defects, where it names and shapes in other ways what is open. */
export function defectsInOtherWays(seed: number): readonly SymptomJob[] {
  const names = defectNames().filter((_, i) => i % 4 === 0);
  return names.map((name) => ({ world: defectInOtherWays(name), seed, bugs: [[name]] }));
}

/** The mock with two to six of its defects at once: which of them meet is what is new. */
export function combinedDefects(seed: number): readonly SymptomJob[] {
  return COMBINED_DEFECTS.map((names, i) => jobOf(`combined-${i + 1}`, names, seed + i));
}

/**
 * The defects of the second service of which a story of the mock's is true, as far as a caller can tell: what the story
 * says that the service does, it does, because of the defect. Why it does so, no caller can see. Of several true stories
 * any one is right. A story that says more than is true, such as that all refusals are streamed where one kind of them
 * is, is wrong. The defects that are not here are like none, and none may be called their likely cause.
 */
export const LIKE_DEFECTS: Readonly<Record<string, readonly DefectName[]>> = {
  'assistant-may-say-null': ['content-null-of-assistant-allowed'],
  'history-uncounted': ['input-counted-by-last-message'],
  // Of a number that is true; the same of max_tokens is told by no story.
  'flags-are-integers': ['temperature-flag-coerced'],
  // The later pages hold what the list of the other key shows.
  'models-on-pages': ['other-keys-models-served'],
  'vision-is-of-the-key': ['vision-by-model-name', 'image-dropped-for-blind-model'],
  // After the first valid key nothing is asked for any more: each of the three is true.
  'key-vouches-for-its-address': ['no-key-needed', 'any-key-admitted', 'scope-not-checked'],
  'input-tokens-run-on': ['usage-estimated'],
  'review-ends-with-the-next-chat': ['uncertain-request-released'],
  // The one such name that runs send is __proto__.
  'underscored-fields-private': ['proto-field-unseen'],
  // Behind a text, whatever is no text is left out.
  'first-part-decides': ['content-sound-left-out', 'image-dropped-for-blind-model'],
  'front-limits-the-rate': ['rate-limit-in-plain-text'],
};

/** The second service with each of its defects, which tell stories of their own: some are like one of the mock's. */
export function secondServiceDefects(seed: number): readonly SymptomJob[] {
  return SECOND_DEFECT_WORLDS.map((world) => ({ world, seed, bugs: [LIKE_DEFECTS[world.name] ?? []] }));
}
