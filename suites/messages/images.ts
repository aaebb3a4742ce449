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
import { chatDraft, chatSettings, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { otherModels, usableModels } from '../engine/inputs/provoking/listed-models.ts';
import { isServedOrRefused, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { invalidChat } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { inTurn, type Requests, requestStimulus } from '../engine/inputs/provoking/request-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import { HOLDS, notExercised } from '../engine/model/ruling.ts';
import type { ListedModel, TargetInfo } from '../engine/model/target.ts';
import { sentChat } from '../engine/reading/answers.ts';
import {
  describeAnswer,
  dispositionOf,
  wasRefused,
  wasServed,
} from '../engine/reading/errors/disposition.ts';
import { isJsonObject } from '../engine/reading/json.ts';

/**
 * Images in system or assistant messages. In the counterpart only user messages have images. Where no model is known to have
 * vision, it goes to each of which nothing is known until it is served, and some counterparts have no image.
 */
const misplaced = requestStimulus({
  name: 'misplaced-images',
  stage: 'free',
  cappedCount: 7,
  fixedCount: 6,
  inputs: (info) => ({ examples: misplacedIn(info) }),
  requests: ({ counterpart, mutant, place }, info) =>
    inTurn(
      settingsFor(info, true).map(({ model }) =>
        invalidChat({ counterpart: { ...counterpart, model }, mutant: { ...mutant, model }, place }),
      ),
    ),
});

function misplacedIn(info: TargetInfo): readonly Variation<JsonObject>[] {
  const [settings] = settingsFor(info, true);
  const [smallest, ...others] = coreChats(settings);
  const inText = (at: number): ImageVariation => addedImage(others.at(-1) ?? smallest, undefined, at);
  if (info.models.every(({ vision }) => vision === false)) return [inText(0), inText(2)];
  // Which shape is accepted is unknown: one of each first, and then the likeliest in every second turn.
  const all = servableShapes(info).map(({ part }) => misplacedImages(settings, part));
  const [likeliest = [], ...unlikelier] = all.map((misplacements) => misplacements.slice(1));
  const oneOfEach = all.flatMap(([one]) => one ?? []);
  const more = interleave(likeliest, interleave(...unlikelier));
  if (isKnown(info, true)) return [...oneOfEach, ...more];
  return [inText(0), ...oneOfEach, inText(2), ...more];
}

export const misplacedImagesRefused = check({
  id: 'misplaced-images-refused',
  clauses: ['MSG-3'],
  title: 'refuses an image in a system or assistant message',
  given: misplaced,
  holds: (trial, info) => {
    const ruling = isRefused('MSG-3')(trial, info);
    // A refusal may be for the model, which may have no vision at all.
    const { messages } = (trial.counterpart && sentChat(trial.counterpart.request)) ?? {};
    const hasImage = [messages].flat().some((each) => isJsonObject(each) && Array.isArray(each['content']));
    return ruling.kind === 'holds' && !hasImage ? notExercised(missingModel(true)) : ruling;
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
  skipReason: (info) =>
    isKnown(info, false) || (isKnown(info, undefined) && usableModels(info).length > 1)
      ? undefined
      : missingModel(false),
  inputs: (info) => {
    const all = [...imagesInEveryShape(info), ...imagesForOthers(info)];
    return { examples: isKnown(info, false) ? all : all.slice(0, 1) };
  },
  requests: (variation, info) => {
    if (!isKnown(info, false)) return imagesForEachModel(info);
    const seeing = isKnown(info, true) ? settingsFor(info, true) : [];
    const shared = seeing.map((settings) => chatDraft(imageChat(settings, variation.part)));
    return {
      ...invalidChat(variation),
      next: { when: (exchange) => wasRefused(exchange, info), shared },
    };
  },
});

/**
 * Where no model is known to be without vision: the first image that any model serves, of every shape, and then the same
 * chat for another model, or all others, each after a chat without images.
 */
function imagesForEachModel(info: TargetInfo): Requests {
  const all = servableShapes(info).flatMap(({ part }) => {
    const pairs = settingsOf(info, usableModels(info)).map((settings) => ({
      text: chatDraft({ ...smallestChat(info), model: settings.model }),
      image: chatDraft(imageChat(settings, part)),
    }));
    return pairs.map(({ image: counterpart }, nth): Requests => {
      // What the cheapest model has refused, the next one may serve.
      const others = nth === 0 ? pairs.slice(1) : pairs.slice(0, 1);
      return { counterpart, shared: others.flatMap(({ text, image }) => [text, image]) };
    });
  });
  return inTurn([...all, { shared: [chatDraft(smallestChat(info))] }]);
}

/** One image for each other model without vision, whole and streamed, because vision is enabled per model. */
function imagesForOthers(info: TargetInfo): readonly ImageVariation[] {
  const others = usableModels(info).filter(({ vision }) => vision === false);
  const chats = settingsOf(info, otherModels(info, others)).flatMap((settings) =>
    coreChats(settings).slice(0, 2),
  );
  return chats.map((chat) => addedImage(chat));
}

/** Every shape in rotating chats, then a linked image, and an image in an earlier message; then all other combinations. */
function imagesInEveryShape(info: TargetInfo): readonly ImageVariation[] {
  const [settings] = settingsFor(info, false);
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
    const [, seen] = trial.exchanges;
    if (!isKnown(info, false)) return isToldApart(trial, info);
    const ruling = isRefused('MSG-4')(trial, info);
    if (ruling.kind !== 'holds' || seen === undefined || dispositionOf(seen, info) === 'served')
      return ruling;
    // A shape that no model accepts may be refused for the shape.
    const received = describeAnswer(seen, info);
    return notExercised(`a model with vision does not accept this image either: ${received}`);
  },
});

/** Of the same image for several models: whether one refuses it that serves a text. */
const isToldApart: Judgement = ({ counterpart, exchanges }, info) => {
  const isRefusing = exchanges.some((text, at) => {
    const image = at % 2 === 0 ? exchanges[at + 1] : undefined;
    return image !== undefined && wasServed(text, info) && wasRefused(image, info);
  });
  const serving = counterpart === undefined ? 'no' : 'every';
  return isRefusing ? HOLDS : notExercised(`${serving} model serves an image, and ${missingModel(false)}`);
};

export const imageShapesObserved = check({
  id: 'image-shapes',
  clauses: ['MSG-5'],
  title: 'serves or refuses each shape of an image part',
  given: openChatsStimulus({
    name: 'image-shapes',
    inputs: (info) => {
      const [settings] = settingsFor(info, true);
      const of = ({ point, part }: ImageShape): OpenChat => {
        return { chat: imageChat(settings, part), points: [point], alone: [] };
      };
      return { examples: IMAGE_SHAPES.map(of) };
    },
    skipReason: (info) => (isKnown(info, true) ? undefined : missingModel(true)),
  }),
  holds: isServedOrRefused,
});

/** The shapes that the target may accept: those pinned as served first, without those pinned as refused. */
function servableShapes({ profile }: TargetInfo): readonly ImageShape[] {
  const pinned = (shape: ImageShape): unknown => profile.pins?.[shape.point];
  const open = IMAGE_SHAPES.filter((shape) => pinned(shape) !== 'refused');
  return open.toSorted((a, b) => Number(pinned(b) === 'served') - Number(pinned(a) === 'served'));
}

/** How many models of unknown vision get images. */
const MOST_TRIED = 8;

/** For the cheapest model that is known to have vision, or known not to have it; or else for all of which that is unknown. */
function settingsFor(info: TargetInfo, vision: boolean): readonly [ChatSettings, ...ChatSettings[]] {
  const isSaid = isKnown(info, vision) ? vision : undefined;
  const models = usableModels(info).filter((listed) => listed.vision === isSaid);
  const [first = chatSettings(info), ...others] = settingsOf(info, models);
  return isSaid === undefined ? [first, ...others] : [first];
}

/** Whether this is known of a model that can be used. */
function isKnown(info: TargetInfo, vision: boolean | undefined): boolean {
  return usableModels(info).some((listed) => listed.vision === vision);
}

function settingsOf({ outputTokens: maxTokens }: TargetInfo, models: readonly ListedModel[]) {
  return models.slice(0, MOST_TRIED).map(({ id: model }): ChatSettings => ({ model, maxTokens }));
}

/** Why no chat is for a model with vision, or for one without. */
function missingModel(vision: boolean): string {
  const known = vision ? 'to have vision enabled' : 'to be without vision';
  return `no listed model is known ${known} (a profile can say so: pin "vision.list", or "models": { ID: { "vision": ${vision} } })`;
}
