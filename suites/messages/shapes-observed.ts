import { IMAGE_SHAPES, imageChat } from '../../fixtures/chats/image-chats.ts';
import { openChats, type OpenChat } from '../../fixtures/chats/open-chats.ts';
import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { isServedOrRefused, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { missingVisionModel, settingsWithVision } from './image-settings.ts';

export const messageShapesObserved = check({
  id: 'message-shapes',
  clauses: ['MSG-6'],
  title: 'serves or refuses messages with unusual shapes or in unusual orders',
  given: openChatsStimulus({
    name: 'message-shapes',
    inputs: (info) => ({ examples: openChats(smallestChat(info), 'MSG-6') }),
  }),
  holds: isServedOrRefused,
});

function imageQuestions(info: TargetInfo): readonly OpenChat[] {
  const settings = settingsWithVision(info, true);
  if (settings === undefined) return [];
  return IMAGE_SHAPES.map(({ point, part }) => ({
    chat: imageChat(settings, part),
    points: [point],
    alone: [],
  }));
}

export const imageShapesObserved = check({
  id: 'image-shapes',
  clauses: ['MSG-5'],
  title: 'serves or refuses each shape of an image part',
  given: openChatsStimulus({
    name: 'image-shapes',
    inputs: (info) => ({ examples: imageQuestions(info) }),
    skipReason: missingVisionModel,
  }),
  holds: isServedOrRefused,
});

export const textPartsObserved = check({
  id: 'text-parts',
  clauses: ['MSG-5'],
  title: 'serves or refuses content that is a list of text parts, or an empty list',
  given: openChatsStimulus({
    name: 'text-parts',
    cappedCount: 1,
    inputs: (info) => ({ examples: openChats(smallestChat(info), 'MSG-5') }),
  }),
  holds: isServedOrRefused,
});
