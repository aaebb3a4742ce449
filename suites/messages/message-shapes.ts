import { openChats } from '../../fixtures/chats/open-chats.ts';
import { wrongContent, wrongRole } from '../../fixtures/invalid/wrong-fields.ts';
import { isRefused } from '../engine/inputs/judging/is-refused.ts';
import { smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { isServedOrRefused, openChatsStimulus } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';
import { check } from '../engine/model/check.ts';

export const wrongRoleRefused = check({
  id: 'wrong-role-refused',
  clauses: ['MSG-1'],
  title: 'refuses a role other than system, user and assistant',
  given: refusals({ name: 'wrong-role', cappedCount: 8, fixedCount: 8, ...wrongRole }),
  holds: isRefused('MSG-1'),
});

export const wrongContentRefused = check({
  id: 'wrong-content-refused',
  clauses: ['MSG-2'],
  title: 'refuses content that is neither text nor a list of parts with an image',
  given: refusals({ name: 'wrong-content', cappedCount: 7, fixedCount: 7, ...wrongContent }),
  holds: isRefused('MSG-2'),
});

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
