import { imageChat, noPartsChat, textPartsChat } from '../../fixtures/chats/image-messages.ts';
import { fewChats } from '../../fixtures/chats/accepted-chats.ts';
import { chatSettings } from '../kit/provoking/chat-drafts.ts';
import { check } from '../kit/model/check.ts';
import { isServedOrRefused, observedChats, type OpenQuestion } from '../kit/provoking/observed-chats.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { IMAGE_SHAPES, lacksVision, settingsWithVision } from './image-settings.ts';

function shapeQuestions(survey: Survey): readonly OpenQuestion[] {
  const settings = settingsWithVision(survey, true);
  if (settings === undefined) return [];
  const [counterpart] = fewChats(settings);
  return IMAGE_SHAPES.map(({ point, part }) => ({ point, chat: imageChat(settings, part), counterpart }));
}

export const imageShapesObserved = check({
  id: 'image-shapes',
  clauses: ['MSG-5'],
  title: 'serves or refuses each shape of an image part',
  given: observedChats({ name: 'image-shapes', questions: shapeQuestions, lacks: lacksVision }),
  holds: isServedOrRefused,
});

function partsQuestions(survey: Survey): readonly OpenQuestion[] {
  const settings = chatSettings(survey);
  const [counterpart] = fewChats(settings);
  return [
    { point: 'content.text_parts', chat: textPartsChat(settings), counterpart: counterpart },
    { point: 'content.no_parts', chat: noPartsChat(settings), counterpart: counterpart },
  ];
}

export const textPartsObserved = check({
  id: 'text-parts',
  clauses: ['MSG-5'],
  title: 'serves or refuses content that is a list of text parts, or of none',
  given: observedChats({ name: 'text-parts', few: 1, questions: partsQuestions }),
  holds: isServedOrRefused,
});
