import type { JsonObject } from '../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { check } from '../kit/model/check.ts';
import { isServedOrRefused, observedChats, type OpenQuestion } from '../kit/provoking/observed-chats.ts';
import { smallestChat } from '../kit/provoking/chat-drafts.ts';
import type { Survey } from '../kit/model/target-info.ts';

const USER = { role: 'user', content: 'Hi.' };
const SYSTEM = { role: 'system', content: 'Answer in one word.' };
const ASSISTANT = { role: 'assistant', content: 'Hello.' };

/** Messages that the specification neither allows nor forbids (MSG-6). */
const SHAPES: readonly (readonly [OpenPointName, readonly JsonObject[]])[] = [
  ['message.name', [{ ...USER, name: 'ada' }]],
  ['message.unknown_field', [{ ...USER, unheard_of: 'x' }]],
  ['message.no_role', [{ content: 'Hi.' }]],
  ['message.no_content', [{ role: 'user' }]],
  ['messages.empty', []],
  ['content.empty', [{ role: 'user', content: '' }]],
  ['messages.order.system_later', [USER, SYSTEM]],
  ['messages.order.assistant_first', [ASSISTANT, USER]],
  ['messages.order.assistant_last', [USER, ASSISTANT]],
];

function messageShapes(survey: Survey): readonly OpenQuestion[] {
  const counterpart = smallestChat(survey);
  return SHAPES.map(([point, messages]) => ({ point, chat: { ...counterpart, messages }, counterpart }));
}

export const messageShapesObserved = check({
  id: 'message-shapes',
  clauses: ['MSG-6'],
  title: 'serves or refuses messages of unusual shapes and orders',
  given: observedChats({ name: 'message-shapes', questions: messageShapes }),
  holds: isServedOrRefused,
});
