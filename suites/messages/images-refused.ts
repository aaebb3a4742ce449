import * as fc from 'fast-check';
import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatBody, JsonObject } from '../../fixtures/chats/chat.ts';
import { interleave } from '../../fixtures/chats/combinations.ts';
import {
  addedImage,
  imageChat,
  misplacedImageExamples,
  misplacedImages,
  IMAGE_PART,
  LINKED_IMAGE,
} from '../../fixtures/chats/image-chats.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { isRefused } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import { otherModels, usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { invalidChat } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Draft } from '../engine/model/exchange.ts';
import { notExercised } from '../engine/model/ruling.ts';
import type { Inputs } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { describeAnswer, dispositionOf, wasRefused } from '../engine/reading/errors/disposition.ts';
import {
  servableShapes,
  missingVisionModel,
  settingsWithVision,
  IMAGE_SHAPES,
  missingBlindModel,
} from './image-settings.ts';

/**
 * Images in system or assistant messages. In the counterpart only user messages have images; without a model that is
 * known to have vision, no message has one.
 */
const misplaced = requestStimulus({
  name: 'misplaced-images',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 5,
  inputs: misplacedInputs,
  requests: invalidChat,
});

function misplacedInputs(info: TargetInfo): Inputs<Variation<JsonObject>> {
  const settings = settingsWithVision(info, true);
  if (settings === undefined) return { examples: misplacedWithoutVision(info) };
  const shapes = servableShapes(info);
  // Which shape is accepted is unknown: one of each first, and then the likeliest in every second turn.
  const all = shapes.map(({ part }) => misplacedImageExamples(settings, part));
  const [likeliest = [], ...others] = all.map((misplacements) => misplacements.slice(1));
  const first = [...all.flatMap(([one]) => one ?? []), ...interleave(likeliest, interleave(...others))];
  if (info.thrifty || shapes.length === 0) return { examples: first };
  return {
    examples: first,
    arbitrary: fc.oneof(...shapes.map(({ part }) => misplacedImages(settings, part))),
  };
}

/** An image of the usual shape in a system and in an assistant message of a chat that is text otherwise. */
function misplacedWithoutVision(info: TargetInfo): readonly Variation<JsonObject>[] {
  const [smallest, ...others] = coreChats(chatSettings(info));
  return [0, 2].map((at) => addedImage(others.at(-1) ?? smallest, IMAGE_PART, at));
}

/** A refusal may be for the model, which may have no vision at all. */
const isRefusedForItsPlace: Judgement = (trial, info) => {
  const ruling = isRefused('MSG-3')(trial, info);
  const missing = missingVisionModel(info);
  return ruling.kind === 'holds' && missing !== undefined ? notExercised(missing) : ruling;
};

export const misplacedImagesRefused = check({
  id: 'misplaced-images-refused',
  clauses: ['MSG-3'],
  title: 'refuses an image in a system or assistant message',
  given: misplaced,
  holds: isRefusedForItsPlace,
});

/** A chat for a model without vision, with this part among its messages. */
interface BlindVariation extends Variation {
  readonly part: JsonObject;
}

/**
 * Images of every shape in user messages for a model without vision; the counterpart is the same chat as text. After a
 * refusal, the second exchange shows a model with vision the same image, where one is known.
 */
const imagesForBlindModels = requestStimulus({
  name: 'images-for-blind-models',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 6,
  skipReason: missingBlindModel,
  inputs: (info) => ({ examples: imagesAdded(info) }),
  requests: (variation, info) => ({
    ...invalidChat(variation),
    next: { when: (exchange) => wasRefused(exchange, info), shared: forVision(variation, info) },
  }),
});

/** The same image in a chat for the cheapest model with vision; none where no such model is known. */
function forVision({ part }: BlindVariation, info: TargetInfo): readonly Draft[] {
  const settings = settingsWithVision(info, true);
  return settings === undefined ? [] : [chatDraft(imageChat(settings, part))];
}

/** An image in a message of a chat, the last one by default. */
function blind(chat: ChatBody, part: JsonObject = IMAGE_PART, position?: number): BlindVariation {
  return { ...addedImage(chat, part, position), part };
}

function imagesAdded(info: TargetInfo): readonly BlindVariation[] {
  return [...imagesInEveryShape(info), ...imagesForOthers(info)];
}

/** One image for each other model without vision, whole and streamed, because vision is enabled per model. */
function imagesForOthers(info: TargetInfo): readonly BlindVariation[] {
  const others = usableModels(info).filter(({ vision }) => vision === false);
  return otherModels(info, others).flatMap(({ id: model }) => {
    const [whole, streamed] = coreChats({ model, maxTokens: info.outputTokens });
    return [whole, streamed].map((chat) => blind(chat));
  });
}

/** Every shape in rotating chats, then a linked image, and an image in an earlier message; then all other combinations. */
function imagesInEveryShape(info: TargetInfo): readonly BlindVariation[] {
  const settings = settingsWithVision(info, false);
  if (settings === undefined) return [];
  const chats = coreChats(settings);
  const [inFirst, ...inOthers] = chats.map((_, round) =>
    IMAGE_SHAPES.map(({ part }, i) => blind(chats[(i + round) % chats.length] ?? chats[0], part)),
  );
  const [smallest] = chats;
  const longest = chats.at(-1) ?? smallest;
  const elsewhere = [blind(smallest, LINKED_IMAGE), blind(longest, IMAGE_PART, 1)];
  return [...(inFirst ?? []), ...elsewhere, ...inOthers.flat()];
}

/** A shape that no model accepts may be refused for the shape. */
const isRefusedForItsModel: Judgement = (trial, info) => {
  const ruling = isRefused('MSG-4')(trial, info);
  const [, seen] = trial.exchanges;
  if (ruling.kind !== 'holds' || seen === undefined || dispositionOf(seen, info) === 'served') return ruling;
  return notExercised(`a model with vision does not accept this image either: ${describeAnswer(seen, info)}`);
};

export const blindModelsRefuseImages = check({
  id: 'blind-models-refuse-images',
  clauses: ['MSG-4'],
  title: 'refuses an image for a model without vision enabled',
  given: imagesForBlindModels,
  holds: isRefusedForItsModel,
});
