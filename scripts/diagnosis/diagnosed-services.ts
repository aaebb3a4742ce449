import { type DefectName, defectNames } from '../../mock-server/defects/defects.ts';
import { COMBINED_DEFECTS } from '../proof/combined/combined-defects.ts';
import { SECOND_DEFECT_WORLDS } from '../proof/second-defects/second-defects.ts';
import { worldNamed } from '../proof/worlds.ts';
import type { SymptomJob } from './symptom-run.ts';

/** The mock with each of its defects: what the signatures are made from. */
export function singleDefects(seed: number): readonly SymptomJob[] {
  return defectNames().map((name) => jobOf(name, [name], seed));
}

function jobOf(world: string, names: readonly DefectName[], seed: number): SymptomJob {
  return { world: worldNamed(world), seed, bugs: names.map((name) => [name]) };
}

/** The mock with two to six of its defects at once: which of them meet is what is new. */
export function combinedDefects(seed: number): readonly SymptomJob[] {
  return COMBINED_DEFECTS.map((names, i) => jobOf(`combined-${i + 1}`, names, seed + i));
}

/**
 * The defects of the second service that are, to whoever looks for the bug, one of the mock's: the same mistake at the
 * same place, though in other code. The others are like none, and none may be called their likely cause.
 */
export const LIKE_DEFECTS: Readonly<Record<string, readonly DefectName[]>> = {
  'token-limit-inside-streams': ['refusals-streamed', 'stream-begun-before-validation'],
  'assistant-may-say-null': ['content-null-of-assistant-allowed'],
  'history-uncounted': ['input-counted-by-last-message'],
  'model-called-constructor-fails': ['unknown-model-fails'],
  'fields-in-camel-case-too': ['field-case-ignored'],
  'flags-are-integers': ['temperature-flag-coerced'],
  'text-cut-is-withheld': ['content-absent', 'content-null'],
  'request-ids-wrap-around': ['request-id-by-the-second', 'one-request-id-for-all'],
  'models-on-pages': ['other-keys-models-served'],
  'vision-is-of-the-key': ['vision-by-model-name', 'image-dropped-for-blind-model'],
  'key-vouches-for-its-address': ['no-key-needed', 'chat-without-key'],
  'input-tokens-run-on': ['usage-estimated'],
  'rate-limited-chats-reserve': ['reservation-kept-after-refusal'],
  'review-ends-with-the-next-chat': ['uncertain-request-released'],
};

/** The second service with each of its defects, which tell stories of their own: some are like one of the mock's. */
export function secondServiceDefects(seed: number): readonly SymptomJob[] {
  return SECOND_DEFECT_WORLDS.map((world) => ({ world, seed, bugs: [LIKE_DEFECTS[world.name] ?? []] }));
}
