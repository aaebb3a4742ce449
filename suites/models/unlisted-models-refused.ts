import * as fc from 'fast-check';
import { acceptedChat, coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { unlistedModels } from '../../fixtures/invalid/unlisted-models.ts';
import { isRefused, requireErrorObject } from '../engine/inputs/judging/is-refused.ts';
import { chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import { costWithCounterpart, sendWithCounterpart } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { stimulus, type Trial } from '../engine/model/stimulus.ts';

/** Near misses of listed IDs, and well-known names of other providers. */
const chatsWithUnlistedModels = stimulus<Trial, Variation>({
  name: 'unlisted-models',
  stage: 'free',
  cappedCount: 12,
  fixedCount: 10,
  inputs: (info) => {
    const settings = chatSettings(info);
    const [base, ...others] = coreChats(settings);
    const listed = info.models.map(({ id }) => id);
    const bases = info.thrifty ? fc.constantFrom(base, ...others) : acceptedChat(settings);
    return {
      examples: unlistedModels(listed).examples(base, others),
      arbitrary: unlistedModels(listed).arbitrary(bases),
    };
  },
  cost: costWithCounterpart,
  send: sendWithCounterpart,
});

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
