import { wrongContent, wrongRole } from '../../fixtures/invalid/wrong-fields.ts';
import { refuses } from '../engine/inputs/judging/is-refused.ts';
import { observesOpenChats } from '../engine/inputs/provoking/open-chats-stimulus.ts';
import { refusals } from '../engine/inputs/provoking/refusal-stimulus.ts';

export const wrongRoleRefused = refuses('MSG-1', {
  id: 'wrong-role-refused',
  title: 'refuses a role other than system, user and assistant',
  given: refusals({ name: 'wrong-role', cappedCount: 9, fixedCount: 9, ...wrongRole }),
});

export const wrongContentRefused = refuses('MSG-2', {
  id: 'wrong-content-refused',
  title: 'refuses content that is neither text nor a list of parts with an image',
  given: refusals({ name: 'wrong-content', cappedCount: 7, fixedCount: 7, ...wrongContent }),
});

export const messageShapesObserved = observesOpenChats('MSG-6', {
  id: 'message-shapes',
  title: 'serves or refuses messages with unusual shapes or in unusual orders',
});

export const textPartsObserved = observesOpenChats('MSG-5', {
  id: 'text-parts',
  title: 'serves or refuses content that is a list of text parts, or an empty list',
  cappedCount: 1,
});
