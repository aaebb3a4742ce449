import { openChats } from '../../fixtures/chats/open-chats.ts';
import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { isServedOrRefused, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';

export const numericBounds = check({
  id: 'numeric-bounds',
  clauses: ['REQ-8'],
  title: 'serves or refuses boundary values of temperature and max_tokens',
  given: openChatsStimulus({
    name: 'numeric-bounds',
    inputs: (info) => ({ examples: openChats(smallestChat(info), 'REQ-8') }),
  }),
  holds: isServedOrRefused,
});
