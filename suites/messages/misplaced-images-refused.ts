import * as fc from 'fast-check';
import { byTurns } from '../../fixtures/chats/by-turns.ts';
import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { misplacedImages, misplacedImagesFirst } from '../../fixtures/chats/image-messages.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { check } from '../kit/model/check.ts';
import { isRefused } from '../kit/judging/is-refused.ts';
import { costWithCounterpart, sendWithCounterpart } from '../kit/provoking/refusal-stimulus.ts';
import { type Inputs, stimulus } from '../kit/model/stimulus.ts';
import type { Survey } from '../kit/model/target-info.ts';
import type { Trial } from '../kit/model/trial.ts';
import { servableShapes, lacksVision, settingsWithVision } from './image-settings.ts';

/** Images in messages of the system or the assistant, each beside a chat in which only user messages bear one. */
const misplaced = stimulus<Trial, Variation<JsonObject>>({
  name: 'misplaced-images',
  stage: 'free',
  few: 7,
  steady: 5,
  lacks: lacksVision,
  inputs: misplacedInputs,
  cost: costWithCounterpart,
  send: sendWithCounterpart,
});

function misplacedInputs(survey: Survey): Inputs<Variation<JsonObject>> {
  const settings = settingsWithVision(survey, true);
  if (settings === undefined) return { first: [] };
  const shapes = servableShapes(survey);
  // Nobody knows which shape is served: one of each, and then the likeliest every second turn.
  const all = shapes.map(({ part }) => misplacedImagesFirst(settings, part));
  const [likeliest = [], ...others] = all.map((misplacements) => misplacements.slice(1));
  const first = [...all.flatMap(([one]) => one ?? []), ...byTurns(likeliest, byTurns(...others))];
  if (survey.thrifty || shapes.length === 0) return { first };
  return { first, drawn: fc.oneof(...shapes.map(({ part }) => misplacedImages(settings, part))) };
}

export const misplacedImagesRefused = check({
  id: 'misplaced-images-refused',
  clauses: ['MSG-3'],
  title: 'refuses an image in a message of the system or the assistant',
  given: misplaced,
  holds: isRefused('MSG-3'),
});
