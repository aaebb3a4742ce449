import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import { isRefused, requireErrorObject } from '../engine/inputs/judging/is-refused.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { TargetInfo } from '../engine/model/target.ts';

/** Near misses of listed IDs, and well-known names of other providers. */
const chatsWithUnlistedModels = refusals({
  name: 'unlisted-models',
  cappedCount: 12,
  fixedCount: 10,
  examples: (base, others, info) => unlistedModels(idsOf(info)).examples(base, others),
  arbitrary: (bases, info) => unlistedModels(idsOf(info)).arbitrary(bases),
});

const idsOf = ({ models }: TargetInfo): readonly string[] => models.map(({ id }) => id);

export const unlistedModelsRefused = check({
  id: 'unlisted-models-refused',
  clauses: ['SVC-7'],
  title: 'refuses an unlisted model ID, even a near miss or a well-known name',
  given: chatsWithUnlistedModels,
  holds: isRefused('SVC-7'),
});

const isRefusedForModel = isRefused('ERR-3');

export const unlistedModelIsError = check({
  id: 'unlisted-model-is-error',
  clauses: ['ERR-3'],
  title: 'answers an invalid model ID with an error object',
  given: chatsWithUnlistedModels,
  holds: (trial, info) => requireErrorObject(isRefusedForModel(trial, info), trial, info),
});
