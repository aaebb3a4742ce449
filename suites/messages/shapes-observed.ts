import { coreChats } from '../../fixtures/chats/accepted-chats.ts';
import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { imageChat, partsChat, TEXT } from '../../fixtures/chats/image-chats.ts';
import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { smallestChat, chatSettings } from '../engine/inputs/provoking/chat-drafts.ts';
import {
  isServedOrRefused,
  observedChats,
  type OpenQuestion,
} from '../engine/inputs/provoking/observed-chats.ts';
import { check } from '../engine/model/check.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { IMAGE_SHAPES, missingVisionModel, settingsWithVision } from './image-settings.ts';

const USER = { role: 'user', content: 'Hi.' };
const SYSTEM = { role: 'system', content: 'Answer in one word.' };
const ASSISTANT = { role: 'assistant', content: 'Hello.' };

const CALL = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } };

/** Messages that the specification neither allows nor forbids (MSG-6). */
const SHAPES: readonly (readonly [OpenPointName, readonly JsonObject[]])[] = [
  ['message.name', [{ ...USER, name: 'ada' }]],
  ['message.unknown_field', [{ ...USER, unheard_of: 'x' }]],
  ['message.tool_calls', [USER, { ...ASSISTANT, tool_calls: [CALL] }, USER]],
  ['message.function_call', [USER, { ...ASSISTANT, function_call: CALL.function }, USER]],
  ['message.no_role', [{ content: 'Hi.' }]],
  ['message.no_content', [{ role: 'user' }]],
  ['messages.empty', []],
  ['content.empty', [{ role: 'user', content: '' }]],
  ['messages.order.system_later', [USER, SYSTEM]],
  ['messages.order.assistant_first', [ASSISTANT, USER]],
  ['messages.order.assistant_last', [USER, ASSISTANT]],
];

function messageShapes(info: TargetInfo): readonly OpenQuestion[] {
  const counterpart = smallestChat(info);
  return SHAPES.map(([point, messages]) => ({ point, chat: { ...counterpart, messages }, counterpart }));
}

export const messageShapesObserved = check({
  id: 'message-shapes',
  clauses: ['MSG-6'],
  title: 'serves or refuses messages with unusual shapes or in unusual orders',
  given: observedChats({ name: 'message-shapes', questions: messageShapes }),
  holds: isServedOrRefused,
});

function shapeQuestions(info: TargetInfo): readonly OpenQuestion[] {
  const settings = settingsWithVision(info, true);
  if (settings === undefined) return [];
  const [counterpart] = coreChats(settings);
  return IMAGE_SHAPES.map(({ point, part }) => ({ point, chat: imageChat(settings, part), counterpart }));
}

export const imageShapesObserved = check({
  id: 'image-shapes',
  clauses: ['MSG-5'],
  title: 'serves or refuses each shape of an image part',
  given: observedChats({
    name: 'image-shapes',
    areShared: true,
    questions: shapeQuestions,
    skipReason: missingVisionModel,
  }),
  holds: isServedOrRefused,
});

function partsQuestions(info: TargetInfo): readonly OpenQuestion[] {
  const settings = chatSettings(info);
  const [counterpart] = coreChats(settings);
  return [
    { point: 'content.text_parts', chat: partsChat(settings, [TEXT, TEXT]), counterpart },
    { point: 'content.no_parts', chat: partsChat(settings, []), counterpart },
  ];
}

export const textPartsObserved = check({
  id: 'text-parts',
  clauses: ['MSG-5'],
  title: 'serves or refuses content that is a list of text parts, or an empty list',
  given: observedChats({ name: 'text-parts', cappedCount: 1, questions: partsQuestions }),
  holds: isServedOrRefused,
});
