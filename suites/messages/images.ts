import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { ChatSettings, JsonObject } from '../../fixtures/chats/chat.ts';
import { interleave, rotatingPairs } from '../../fixtures/chats/combinations.ts';
import {
  addedImage,
  imageChat,
  type ImageShape,
  type ImageVariation,
  IMAGE_SHAPES,
  LINKED_IMAGE,
  misplacedImages,
} from '../../fixtures/chats/image-chats.ts';
import type { OpenChat } from '../../fixtures/chats/open-chats.ts';
import type { Variation } from '../../fixtures/chats/variation.ts';
import { isRefused } from '../engine/inputs/judging/is-refused.ts';
import { chatDraft, chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import { otherModels, usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { isServedOrRefused, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { invalidChat } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { notExercised } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { describeAnswer, dispositionOf, wasRefused } from '../engine/reading/errors/disposition.ts';

/**
 * Images in system or assistant messages. In the counterpart only user messages have images; without a model that is
 * known to have vision, no message has one.
 */
const misplaced = requestStimulus({
  name: 'misplaced-images',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 5,
  inputs: (info) => ({ examples: misplacedIn(info) }),
  requests: invalidChat,
});

function misplacedIn(info: TargetInfo): readonly Variation<JsonObject>[] {
  const settings = settingsWithVision(info, true);
  if (settings === undefined) {
    const [smallest, ...others] = coreChats(chatSettings(info));
    return [0, 2].map((at) => addedImage(others.at(-1) ?? smallest, undefined, at));
  }
  // Which shape is accepted is unknown: one of each first, and then the likeliest in every second turn.
  const all = servableShapes(info).map(({ part }) => misplacedImages(settings, part));
  const [likeliest = [], ...others] = all.map((misplacements) => misplacements.slice(1));
  return [...all.flatMap(([one]) => one ?? []), ...interleave(likeliest, interleave(...others))];
}

export const misplacedImagesRefused = check({
  id: 'misplaced-images-refused',
  clauses: ['MSG-3'],
  title: 'refuses an image in a system or assistant message',
  given: misplaced,
  holds: (trial, info) => {
    const ruling = isRefused('MSG-3')(trial, info);
    const missing = missingModel(info, true);
    // A refusal may be for the model, which may have no vision at all.
    return ruling.kind === 'holds' && missing !== undefined ? notExercised(missing) : ruling;
  },
});

/**
 * Images of every shape in user messages for a model without vision; the counterpart is the same chat as text. After a
 * refusal, the second exchange shows a model with vision the same image, where one is known.
 */
const imagesForBlindModels = requestStimulus({
  name: 'images-for-blind-models',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 6,
  skipReason: (info) => missingModel(info, false),
  inputs: (info) => ({ examples: [...imagesInEveryShape(info), ...imagesForOthers(info)] }),
  requests: (variation, info) => {
    const settings = settingsWithVision(info, true);
    const shared = settings === undefined ? [] : [chatDraft(imageChat(settings, variation.part))];
    return {
      ...invalidChat(variation),
      next: { when: (exchange) => wasRefused(exchange, info), shared },
    };
  },
});

/** One image for each other model without vision, whole and streamed, because vision is enabled per model. */
function imagesForOthers(info: TargetInfo): readonly ImageVariation[] {
  const others = usableModels(info).filter(({ vision }) => vision === false);
  return otherModels(info, others).flatMap(({ id: model }) =>
    coreChats({ model, maxTokens: info.outputTokens })
      .slice(0, 2)
      .map((chat) => addedImage(chat)),
  );
}

/** Every shape in rotating chats, then a linked image, and an image in an earlier message; then all other combinations. */
function imagesInEveryShape(info: TargetInfo): readonly ImageVariation[] {
  const settings = settingsWithVision(info, false);
  if (settings === undefined) return [];
  const [smallest, ...others] = coreChats(settings);
  const all = rotatingPairs(IMAGE_SHAPES, [smallest, ...others]).map(([{ part }, chat]) =>
    addedImage(chat, part),
  );
  const elsewhere = [addedImage(smallest, LINKED_IMAGE), addedImage(others.at(-1) ?? smallest, undefined, 1)];
  return all.toSpliced(IMAGE_SHAPES.length, 0, ...elsewhere);
}

export const blindModelsRefuseImages = check({
  id: 'blind-models-refuse-images',
  clauses: ['MSG-4'],
  title: 'refuses an image for a model without vision enabled',
  given: imagesForBlindModels,
  holds: (trial, info) => {
    const ruling = isRefused('MSG-4')(trial, info);
    const [, seen] = trial.exchanges;
    if (ruling.kind !== 'holds' || seen === undefined || dispositionOf(seen, info) === 'served')
      return ruling;
    // A shape that no model accepts may be refused for the shape.
    const received = describeAnswer(seen, info);
    return notExercised(`a model with vision does not accept this image either: ${received}`);
  },
});

export const imageShapesObserved = check({
  id: 'image-shapes',
  clauses: ['MSG-5'],
  title: 'serves or refuses each shape of an image part',
  given: openChatsStimulus({
    name: 'image-shapes',
    inputs: (info) => {
      const settings = settingsWithVision(info, true);
      const of = ({ point, part }: ImageShape): readonly OpenChat[] =>
        settings === undefined ? [] : [{ chat: imageChat(settings, part), points: [point], alone: [] }];
      return { examples: IMAGE_SHAPES.flatMap(of) };
    },
    skipReason: (info) => missingModel(info, true),
  }),
  holds: isServedOrRefused,
});

/** The shapes that the target may accept: those pinned as served first, without those pinned as refused. */
function servableShapes({ profile }: TargetInfo): readonly ImageShape[] {
  const pinned = (shape: ImageShape): unknown => profile.pins?.[shape.point];
  const open = IMAGE_SHAPES.filter((shape) => pinned(shape) !== 'refused');
  return open.toSorted((a, b) => Number(pinned(b) === 'served') - Number(pinned(a) === 'served'));
}

/** Settings for the cheapest model that is known to have vision, or known not to have it. */
function settingsWithVision(info: TargetInfo, vision: boolean): ChatSettings | undefined {
  const model = usableModels(info).find((listed) => listed.vision === vision);
  return model === undefined ? undefined : { model: model.id, maxTokens: info.outputTokens };
}

/** Why no chat can be for a model with vision, or for one without. */
function missingModel(info: TargetInfo, vision: boolean): string | undefined {
  if (settingsWithVision(info, vision) !== undefined) return undefined;
  const known = vision ? 'to have vision enabled' : 'to be without vision';
  return `no listed model is known ${known} (a profile can say so: "models": { ID: { "vision": ${vision} } })`;
}
